// Numbers as they stand in evidence sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"

namespace fairlead::linkprobe {

std::string DelayText(Nanoseconds value);  // "36.1 ms", below a millisecond "12.35 us"
std::string InSeconds(Nanoseconds value);  // "12.5 s"

// "p50 61.2 ms against a baseline of 36.1 ms (band 1.1 ms)".
std::string AgainstBaseline(Nanoseconds p50, Nanoseconds baseline, Nanoseconds band);
// "8 of 10 windows".
std::string OfWindows(std::uint32_t count, std::uint32_t of);
// "5 of 100 lost forward (2.2 % .. 11 %)".
std::string LossText(const LossInterval& loss, std::string_view direction);

}  // namespace fairlead::linkprobe
