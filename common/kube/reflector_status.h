// How well a reflector follows, for readiness and metrics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/kube/reflect/api_failure.h"

namespace fairlead::kube {

struct ReflectorStatus {
  bool synced = false;  // one whole list has been taken over; stays true
  bool absent = false;  // the server does not know the resource
  // The server last said something about the resource: a list, an event, a bookmark. With a watch
  // in order it is never much more than a minute ago.
  std::optional<MonotonicTime> last_heard;
  // Why it does not follow now, with the remedy where there is one; empty while it does.
  std::string trouble;

  std::uint64_t lists = 0;    // whole ones taken over
  std::uint64_t watches = 0;  // begun
  std::uint64_t events = 0;   // of objects
  std::uint64_t bookmarks = 0;
  std::uint64_t unknown_events = 0;
  std::array<std::uint64_t, kApiFailures> failures{};  // by ApiFailure
  std::uint64_t bad_objects = 0;                       // passed over
  std::string last_bad_object;                         // which, and what is wrong with it

  std::uint64_t failed(ApiFailure failure) const {
    return failures[static_cast<std::size_t>(failure)];
  }
};

}  // namespace fairlead::kube
