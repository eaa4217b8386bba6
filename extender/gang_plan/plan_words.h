// Plans as people read them.
#pragma once

#include <string>
#include <string_view>

#include "extender/gang_plan/gang_plan.h"

namespace fairlead::extender {

// "40 in hk, 24 in sg", in the order of the ring.
std::string SitesText(const GangPlan& plan);

// Why the plan is as it is. `most_in_one_site`: members of the gang that the roomiest site could
// hold, `roomiest` its name.
std::string WhyText(const GangPlan& plan, std::string_view roomiest,
                    std::uint32_t most_in_one_site);

}  // namespace fairlead::extender
