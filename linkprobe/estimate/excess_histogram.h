// Time above what must be (RTT above the window's minimum, a wake-up after its time), in buckets
// that serve 25 ms and 200 ms lines alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Cumulative since the start, as Prometheus expects. Bucket i holds excesses up to
// 50 us x 2^i (50 us .. 0.82 s); the last of the 16 has no bound.
struct ExcessHistogram {
  static constexpr std::size_t kBuckets = 16;

  std::array<std::uint64_t, kBuckets> counts{};
  std::uint64_t total = 0;
  Nanoseconds sum{};

  // Upper bound of bucket i < 15, inclusive.
  static Nanoseconds UpperBound(std::size_t bucket);
  // A negative excess counts as none.
  void Add(Nanoseconds excess);
};

}  // namespace fairlead::linkprobe
