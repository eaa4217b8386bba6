// A device's cycle counter told on the steady clock.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Converts completion stamps of `kilohertz` cycles under `mask` (the counter's width). The anchor
// is a reading of both clocks; stamps may lie half the counter's range to either side of it. Over
// one second a crystal's 50 ppm is 50 us, so anchor anew each second. Not thread-safe.
class DeviceClock {
 public:
  // Nothing unless the device states both a frequency and a counter width.
  static std::optional<DeviceClock> Create(std::uint64_t kilohertz, std::uint64_t mask);

  void Anchor(std::uint64_t cycles, MonotonicTime steady);
  MonotonicTime ToSteady(std::uint64_t cycles) const;
  bool AnchorIsOld(MonotonicTime now) const { return !anchored_ || now - steady_ > Seconds(1); }

 private:
  DeviceClock(std::uint64_t kilohertz, std::uint64_t mask) : kilohertz_(kilohertz), mask_(mask) {}

  std::uint64_t kilohertz_;
  std::uint64_t mask_;
  std::uint64_t cycles_ = 0;
  MonotonicTime steady_{};
  bool anchored_ = false;
};

}  // namespace fairlead::linkprobe
