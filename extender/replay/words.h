// A replay's values as people say them.
#pragma once

#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/migration/line_condition.h"

namespace fairlead::extender {

double InSeconds(Nanoseconds time);

// A span of time or a difference of two: "45 s", "19 min", "3.2 h", "-4 min", "0 s".
std::string SpanText(double seconds);

// "hk-sg and hk-tyo"; "no line" for none.
std::string LinesText(const std::vector<SitePair>& lines);

}  // namespace fairlead::extender
