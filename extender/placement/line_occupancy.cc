#include "extender/placement/line_occupancy.h"

namespace fairlead::extender {

LineOccupancy CountCrossings(const std::vector<SiteCounts>& gangs) {
  LineOccupancy occupancy;
  for (const SiteCounts& gang : gangs) {
    for (auto a = gang.begin(); a != gang.end(); ++a) {
      if (a->second == 0) continue;
      for (auto b = std::next(a); b != gang.end(); ++b) {
        if (b->second > 0) ++occupancy[{a->first, b->first}];
      }
    }
  }
  return occupancy;
}

}  // namespace fairlead::extender
