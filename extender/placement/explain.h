// Why a site has its score, in one sentence with the numbers.
#pragma once

#include <string>

#include "extender/cost/line_matrix.h"
#include "extender/link/line_name.h"
#include "extender/placement/site_score.h"

namespace fairlead::extender {

// "36.4 ms", of seconds.
std::string StepTime(double seconds);

// "40 in hk and 24 in sg".
std::string DescribePlacement(const SiteCounts& placement);

// What is known of a line, the worse direction of each value:
// "p50 36.2 ms, p99 38 ms, loss 0.00 %", or what was assumed in its place.
std::string DescribeLine(const LineMatrix& lines, const LinkSnapshot& links, LineIndex index);

// For a score with a predicted time: "36.4 ms a step, 8.4 of 10: 2 in hk and 1 in sg over line
// hk-sg (...), 99 % of it latency". `score` has everything but its explanation.
std::string Explain(const SiteScore& score, const LineMatrix& lines, const LinkSnapshot& links);

}  // namespace fairlead::extender
