#include "linkprobe/verbs/device_clock.h"

namespace fairlead::linkprobe {
namespace {

Nanoseconds Duration(std::uint64_t cycles, std::uint64_t kilohertz) {
  constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;
  // Whole milliseconds first, so that the product stays far below 2^64.
  const std::uint64_t milliseconds = cycles / kilohertz;
  const std::uint64_t rest = cycles % kilohertz * kNanosecondsPerMillisecond / kilohertz;
  return Nanoseconds(static_cast<std::int64_t>(milliseconds * kNanosecondsPerMillisecond + rest));
}

}  // namespace

std::optional<DeviceClock> DeviceClock::Create(std::uint64_t kilohertz, std::uint64_t mask) {
  if (kilohertz == 0 || mask == 0) return std::nullopt;
  return DeviceClock(kilohertz, mask);
}

void DeviceClock::Anchor(std::uint64_t cycles, MonotonicTime steady) {
  cycles_ = cycles & mask_;
  steady_ = steady;
  anchored_ = true;
}

MonotonicTime DeviceClock::ToSteady(std::uint64_t cycles) const {
  const std::uint64_t ahead = (cycles - cycles_) & mask_;
  if (ahead <= mask_ / 2) return steady_ + Duration(ahead, kilohertz_);
  return steady_ - Duration((cycles_ - cycles) & mask_, kilohertz_);
}

}  // namespace fairlead::linkprobe
