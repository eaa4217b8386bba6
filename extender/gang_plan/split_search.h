// The best split of a gang over all sets of sites.
#pragma once

#include <cstddef>
#include <vector>

#include "extender/gang_plan/site_split.h"

namespace fairlead::extender {

// Sites up to which every set is weighed.
inline constexpr std::size_t kExactSites = 10;

// Best first: the best split of the gang over any set of sites, then a few of those weighed. Empty
// only when no set CanHold the gang. To `exact_sites` sites (at most kExactSites) exact, branch and
// bound over all sets; beyond that local search from greedy sets, never worse than any of them.
std::vector<Split> BestSplits(const SplitQuestion& question, std::size_t exact_sites = kExactSites);

}  // namespace fairlead::extender
