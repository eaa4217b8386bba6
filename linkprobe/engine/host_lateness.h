// How late this host wakes a loop that asked to be woken at a given time.
#pragma once

#include <optional>

#include "common/base/clock.h"
#include "linkprobe/estimate/excess_histogram.h"
#include "linkprobe/estimate/recent_values.h"

namespace fairlead::linkprobe {

// What the host-noise verdict goes by, kept for the loop as a whole: it shows also while no path is
// probed. Not thread-safe.
class HostLateness {
 public:
  void Add(Nanoseconds late, MonotonicTime at) {
    histogram_.Add(late);
    recent_.Add(late, at);
  }

  // Since the start.
  const ExcessHistogram& histogram() const { return histogram_; }
  // Of the wake-ups after `from`; nothing when there was none.
  std::optional<Nanoseconds> UsualSince(MonotonicTime from) const {
    return recent_.QuantileSince(from, kUsualLateness);
  }

 private:
  ExcessHistogram histogram_;
  RecentValues recent_;
};

}  // namespace fairlead::linkprobe
