// Time as plain values, and the only place that reads the machine's clocks.
#pragma once

#include <chrono>
#include <cstdint>

namespace fairlead {

using Nanoseconds = std::chrono::nanoseconds;
using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

// A point on CLOCK_MONOTONIC of this host, used for every interval. Cores get it as an argument.
using MonotonicTime = std::chrono::time_point<std::chrono::steady_clock, Nanoseconds>;
// A point on CLOCK_REALTIME, used only to show a time to a person or another host.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

// Days since 1970-01-01 in UTC.
inline std::int64_t DayOf(WallTime at) {
  return std::chrono::floor<std::chrono::days>(at).time_since_epoch().count();
}

// Reads time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual MonotonicTime Now() const = 0;
  virtual WallTime WallNow() const = 0;
};

// The machine's own clocks.
class SystemClock final : public Clock {
 public:
  MonotonicTime Now() const override;
  WallTime WallNow() const override;
};

}  // namespace fairlead
