// Where pods that wait may have a place again.
#pragma once

#include <string>
#include <vector>

#include "extender/link/link_view.h"

namespace fairlead::extender {

// Sites of links that answer again after Down, or are Healthy again after Degraded; sorted, each
// once. A link that appears or is lost heals nothing. Pure.
std::vector<std::string> HealedSites(const LinkSnapshot& before, const LinkSnapshot& now);

}  // namespace fairlead::extender
