// What every kind of object and event has in common, read from its JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/api_error.h"
#include "common/kube/object_id.h"
#include "common/kube/reflect/reflector_machine.h"

namespace fairlead::kube {

struct ObjectHead {
  ObjectId id;
  std::string resource_version;
};

struct WatchEvent {
  enum class Kind { kAdded, kModified, kDeleted, kBookmark, kError, kUnknown };

  Kind kind = Kind::kUnknown;
  std::string_view object;  // its JSON, inside the line
};

// Every text is followed by kJsonPadding readable bytes. Errors are kInvalidArgument and say which
// field is wrong. Used by one thread; keeps its memory for the next text.
class ObjectReader {
 public:
  ObjectReader();
  ~ObjectReader();

  // Name, namespace and uid where they are strings of sane length; a name is required. What
  // follows the metadata is not looked at.
  Result<ObjectHead> ReadHead(std::string_view object);
  // The version alone, which bookmarks have.
  Result<std::string> ReadVersion(std::string_view object);
  // `metadata` of a list.
  Result<ListPage> ReadPage(std::string_view metadata);
  // One line of a watch.
  Result<WatchEvent> ReadEvent(std::string_view line);
  // A Status; nothing in it is required. `code` is what HTTP said, 0 where it said success.
  ApiError ReadStatus(std::string_view status, int code);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::kube
