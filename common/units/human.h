// Quantities as people say them, for sentences that no program reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead {

// How long ago something was: "45 s", "3 min", "5 h", "4 days", never rounded up; "<1 s" below a
// second, and where a clock was set back so that it lies ahead.
std::string HumanAge(Nanoseconds age);

// A ratio: "5.0 %", below 1 % two significant digits, "0.0010 %". Zero is "0 %", and nothing else
// is.
std::string HumanPercent(double ratio);

// Four significant digits: "9.412 Gbps". At least 0.
std::string HumanRate(double bits_per_second);

// "1 node", "9 nodes", "0 nodes".
std::string Counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace fairlead
