// Which offered nodes are off a gang's plan, and what to say of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extender/gang_plan/plan_in_force.h"

namespace fairlead::extender {

struct PlanFilter {
  // Like the nodes offered: 0 where the node is on the plan, else 1 + the index of its sentence.
  std::vector<std::uint32_t> off_plan;
  std::vector<std::string> sentences;  // one for each site that is off the plan
};

// Nodes of the seat's site are on the plan, all others are off it, also those of no known site.
// `gang` is how people know the gang, `node_sites` the site of each node offered. A sentence:
// "gang train-1 (64) is planned as 40 in hk, 24 in sg; this pod's seat is in sg, not in hk".
PlanFilter FilterByPlan(std::string_view gang, const GangPlan& plan, const Seat& seat,
                        std::span<const std::string_view> node_sites);

}  // namespace fairlead::extender
