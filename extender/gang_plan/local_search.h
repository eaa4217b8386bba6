// A good split where there are too many sets of sites to weigh them all.
#pragma once

#include <cstddef>
#include <vector>

#include "extender/gang_plan/site_split.h"

namespace fairlead::extender {

// Starts at greedy sets, grown from each site by the nearest line to any, to all or to the first
// site, and by the most room. From the best of them on, sites are dropped, swapped and added as
// long as that helps, within a budget of splits weighed. At most `most` splits, best first, never
// worse than any start.
std::vector<Split> SearchLocally(const SplitQuestion& question, std::size_t most);

}  // namespace fairlead::extender
