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

// A share in 0..1: "3%", "0.03" or "1e-3". kInvalidArgument otherwise.
Result<double> ParseRatio(std::string_view text);

}  // namespace fairlead
