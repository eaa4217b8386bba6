// When a path is not judged because a bandwidth test fills its line.
#pragma once

#include <optional>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"

namespace fairlead::linkprobe {

// A pause begins while a test is told of and lasts until the windows of delay and spread have left
// it behind, kLongest at most, however long it is told of. Between two pauses a path is judged for
// kLeastJudged at least: time enough for every finding, so that no row of tests hides a line.
class JudgementPause {
 public:
  static constexpr Nanoseconds kLongest = Seconds(180);
  static constexpr Nanoseconds kLeastJudged = Seconds(60);

  // What the plan says of the line.
  void Told(bool tested, MonotonicTime now);
  // Whether the step at `now` is within a pause. Ask once a step.
  bool Holds(const DetectorSettings& settings, MonotonicTime now);
  // Ends it now. What is told of still does not begin another one.
  void End(MonotonicTime now);

  // When the last pause ended: losses of probes sent before count no more. The clock's smallest
  // time before the first.
  MonotonicTime judged_from() const { return judged_from_.value_or(MonotonicTime::min()); }

 private:
  bool tested_ = false;
  bool used_up_ = false;  // the test that is told of has had its pause
  MonotonicTime told_until_{};
  std::optional<MonotonicTime> begun_;
  std::optional<MonotonicTime> judged_from_;
};

}  // namespace fairlead::linkprobe
