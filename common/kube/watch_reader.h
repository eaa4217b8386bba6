// A watch as the API server answers it, cut into its events while its bytes come.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/kube/api_error.h"
#include "common/kube/kept_text.h"
#include "common/kube/object_reader.h"

namespace fairlead::kube {

// What the events of a watch are told to. `object` has kJsonPadding readable bytes behind it.
class WatchEvents {
 public:
  virtual ~WatchEvents() = default;

  // ADDED, MODIFIED or DELETED.
  virtual void OnObject(WatchEvent::Kind kind, std::string_view object) = 0;
  virtual void OnBookmark(const std::string& resource_version) = 0;
  // A type of event that is not known.
  virtual void OnUnknown() = 0;
};

// Memory is that of the longest event. Not thread-safe.
class WatchReader {
 public:
  WatchReader(std::size_t most_event_bytes, ObjectReader& reader, WatchEvents& events);

  // The next bytes of the body; false where the watch is over, see `error`. A line that has not
  // ended is not an event yet, and none where the body ends there.
  bool Take(std::string_view bytes);
  // An ERROR event, a line that is no event (kMalformed) or too long (kTooLarge).
  const std::optional<ApiError>& error() const { return error_; }

 private:
  bool TakeLine();

  ObjectReader& reader_;
  WatchEvents& events_;
  KeptText line_;
  std::optional<ApiError> error_;
};

}  // namespace fairlead::kube
