// Durations as configuration files and people write them.
#pragma once

#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead {

// "100ns", "30us", "250ms", "1.5s", "2m", "1h": a number and a unit, never negative, exact to the
// nanosecond. Anything else is kInvalidArgument.
Result<Nanoseconds> ParseDuration(std::string_view text);

// The shortest spelling that ParseDuration reads back as the same value; negative values are
// written with a minus, which ParseDuration refuses.
std::string FormatDuration(Nanoseconds value);

// For people: four significant digits and the unit that suits, "36.21 ms", "850 ns", "-1.5 s".
std::string HumanDuration(Nanoseconds value);

}  // namespace fairlead
