// When to look at the node again.
#pragma once

#include <chrono>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::deviceplugin {

// Turns any number of events into few scans: one soon after the first event of a burst, and while
// they go on, one every half second, so that the last scan always begins after the last event.
// Pure; used by one thread.
class ScanSchedule {
 public:
  // A driver that loads makes its class entries and nodes within this time.
  static constexpr Nanoseconds kSettle = std::chrono::milliseconds(100);
  static constexpr Nanoseconds kGap = std::chrono::milliseconds(500);  // between scans for events

  // Something happened.
  void Note(MonotonicTime now) {
    if (!noted_) noted_ = now;
  }
  // A scan begins; what was noted and wanted so far is done with it. True if something was noted.
  bool Begin(MonotonicTime now) {
    const bool noted = noted_.has_value();
    if (noted) last_ = now;
    noted_.reset();
    wanted_.reset();
    return noted;
  }
  // Look again at that time, event or not.
  void Want(MonotonicTime when) { wanted_ = when; }

  // When the next scan is due; nothing: not before something happens.
  std::optional<MonotonicTime> Due() const {
    std::optional<MonotonicTime> due;
    if (noted_) {
      due = *noted_ + kSettle;
      if (last_ && *last_ + kGap > *due) due = *last_ + kGap;
    }
    if (wanted_ && (!due || *wanted_ < *due)) due = wanted_;
    return due;
  }

 private:
  std::optional<MonotonicTime> noted_;  // the first event since the last scan began
  std::optional<MonotonicTime> wanted_;
  std::optional<MonotonicTime> last_;  // when the last scan for an event began
};

}  // namespace fairlead::deviceplugin
