// Which lines gangs use already.
#pragma once

#include <vector>

#include "extender/cost/line_matrix.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Each gang counts once on every line between two sites in which it has members.
LineOccupancy CountCrossings(const std::vector<SiteCounts>& gangs);

}  // namespace fairlead::extender
