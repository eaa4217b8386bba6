// How long calls took.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::deviceplugin {

// The upper ends of the buckets, each of which belongs to it: close together around 1 ms, which no
// Allocate should take.
inline constexpr std::array kCallBounds{
    Nanoseconds(50'000),     Nanoseconds(100'000),     Nanoseconds(200'000),
    Nanoseconds(300'000),    Nanoseconds(500'000),     Nanoseconds(700'000),
    Nanoseconds(1'000'000),  Nanoseconds(1'500'000),   Nanoseconds(2'000'000),
    Nanoseconds(3'000'000),  Nanoseconds(5'000'000),   Nanoseconds(10'000'000),
    Nanoseconds(30'000'000), Nanoseconds(100'000'000), Nanoseconds(1'000'000'000)};

struct CallCounts {
  // One for each of kCallBounds, without those of smaller ones, and one for what was longer.
  std::array<std::uint64_t, kCallBounds.size() + 1> calls{};
  std::uint64_t nanoseconds = 0;  // all together
};

// Counts since the start. Thread-safe; calls that end meanwhile may be in one figure and not yet in
// another.
class CallDurations {
 public:
  void Add(Nanoseconds took) {
    const auto bound = std::lower_bound(kCallBounds.begin(), kCallBounds.end(), took);
    calls_[static_cast<std::size_t>(bound - kCallBounds.begin())].fetch_add(
        1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
  }

  CallCounts counts() const {
    CallCounts counts;
    for (std::size_t i = 0; i < calls_.size(); ++i) counts.calls[i] = calls_[i];
    counts.nanoseconds = nanoseconds_;
    return counts;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kCallBounds.size() + 1> calls_{};
  std::atomic<std::uint64_t> nanoseconds_{0};
};

}  // namespace fairlead::deviceplugin
