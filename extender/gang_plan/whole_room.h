// What a gang finds that leaves as a whole.
#pragma once

#include "extender/cost/line_matrix.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

struct WholeRoom {
  SiteCounts room;          // members that fit, by site, its own places counted as free
  LineOccupancy occupancy;  // of all other gangs
};

}  // namespace fairlead::extender
