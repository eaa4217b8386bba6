// The newest round trips of the probes that accompany a bandwidth test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Keeps the last `capacity`. Pure; not thread-safe.
class RoundTrips {
 public:
  explicit RoundTrips(std::size_t capacity) : capacity_(capacity) {}

  void Add(MonotonicTime at, Nanoseconds rtt);

  // The median of those that came after `from`; nothing where there are fewer than `least`.
  std::optional<Nanoseconds> Median(MonotonicTime from, std::size_t least = 1) const;
  // What the round trip is now at least: the median of the last `count`, or the newest with the
  // time that answers, which came every `gap` before, have been overdue since. Nothing below
  // `count`.
  std::optional<Nanoseconds> NowAtLeast(MonotonicTime now, std::size_t count,
                                        Nanoseconds gap) const;
  // The smallest and largest apart, of those after `from`, without the one largest of all.
  Nanoseconds Spread(MonotonicTime from) const;
  // The mean time between answers; nothing below two.
  std::optional<Nanoseconds> MeanGap() const;
  std::size_t size() const { return samples_.size(); }

 private:
  struct Sample {
    MonotonicTime at;
    Nanoseconds rtt;
  };

  std::size_t capacity_;
  std::deque<Sample> samples_;  // by arrival
};

}  // namespace fairlead::linkprobe
