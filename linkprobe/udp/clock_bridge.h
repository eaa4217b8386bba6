// Kernel stamps of the wall clock, told on the steady clock.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Both clocks at (nearly) one instant.
struct ClockPair {
  MonotonicTime steady{};
  WallTime wall{};
};

// Converts wall-clock stamps with the offset sampled at each reading, and notices when somebody set
// the wall clock in between. NTP slews at most 500 ppm, so an offset that moved by more than 1 ms
// since the last reading is a step. Not thread-safe.
class ClockBridge {
 public:
  explicit ClockBridge(ClockPair first) : pair_(first) {}

  // Takes a fresh sample before a batch of stamps is converted. True when the clock was set since
  // the last one: stamps of this batch may be from before and must not be converted.
  bool Resample(ClockPair now);

  MonotonicTime ToSteady(WallTime stamp) const;

 private:
  ClockPair pair_;
};

// Reads both clocks, the steady one before and after, and keeps the tightest of three readings.
ClockPair ReadClockPair();

}  // namespace fairlead::linkprobe
