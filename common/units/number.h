// Plain numbers without a unit.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// A finite decimal number, the whole text: "10", "0.5", "1e-3". kInvalidArgument otherwise.
Result<double> ParseNumber(std::string_view text);

// A whole number in `least`..`most`, decimal digits only. kInvalidArgument otherwise.
Result<std::uint64_t> ParseCount(std::string_view text, std::uint64_t least, std::uint64_t most);

// True for a number, of any kind and with or without a unit, that begins with a needless zero:
// "010",
// "-007", "00". YAML 1.1 takes such a number for octal, YAML 1.2 does not.
bool HasLeadingZero(std::string_view text);

// A share in 0..1: "3%", "0.03" or "1e-3". kInvalidArgument otherwise.
Result<double> ParseRatio(std::string_view text);

}  // namespace fairlead
