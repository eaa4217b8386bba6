// Whether a report's time can be true.
#pragma once

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::extender {

// How far a probe's wall clock may be from this host's. Ages are counted from this host's clock at
// the report's arrival, so a few seconds or minutes harm nothing; clocks further apart than this
// also cannot open sessions with each other.
inline constexpr Nanoseconds kClockTolerance = Seconds(300);

// kInvalidArgument, with the distance and the remedy, for a time further away than that. Pure.
Status CheckReportTime(WallTime sent_at, WallTime now);

}  // namespace fairlead::extender
