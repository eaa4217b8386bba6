// What has arrived at the far end, by time.
#pragma once

#include <cstdint>
#include <deque>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Keeps `keep` of history. Times do not go backwards; one that does counts as the latest before it.
// Pure; not thread-safe.
class DeliveryMeter {
 public:
  explicit DeliveryMeter(Nanoseconds keep) : keep_(keep) {}

  void Add(MonotonicTime at, std::uint64_t bytes);

  // Bytes that arrived after `from` and no later than `to`; `from` lies in the kept history.
  std::uint64_t Bytes(MonotonicTime from, MonotonicTime to) const;
  // The same per second; 0 for an empty interval.
  double Rate(MonotonicTime from, MonotonicTime to) const;

  std::uint64_t total() const { return total_; }

 private:
  struct Point {
    MonotonicTime at;
    std::uint64_t total;
  };

  std::uint64_t TotalAt(MonotonicTime at) const;

  Nanoseconds keep_;
  std::deque<Point> points_;
  std::uint64_t before_ = 0;  // total of what is no longer kept
  std::uint64_t total_ = 0;
};

}  // namespace fairlead::linkprobe
