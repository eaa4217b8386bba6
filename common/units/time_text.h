// Points in time as people and Kubernetes write them.
#pragma once

#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead {

// RFC 3339 from 1970 to 2200: "2026-01-02T15:04:05Z", "2026-01-02T23:04:05.25+08:00"; digits of a
// second beyond the ninth are passed over. Anything else is kInvalidArgument.
Result<WallTime> ParseTime(std::string_view text);

// In UTC, rounded down to the second: "2026-01-02T15:04:05Z".
std::string FormatTime(WallTime time);

}  // namespace fairlead
