// Plans a whole gang.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"
#include "extender/gang_plan/gang_plan.h"
#include "extender/gang_plan/split_search.h"

namespace fairlead::extender {

// A member that is bound, or believed to be, with its rank.
struct RankAtSite {
  std::uint32_t rank = 0;
  std::size_t site = 0;
};

// All vectors are indexed like the matrix, whose occupancy is that of the other gangs.
struct PlanRequest {
  CommunicationProfile profile;
  const LineMatrix& lines;
  std::optional<std::uint32_t> size;  // members of the gang; absent or 0: not known
  std::vector<std::uint32_t> placed;  // members bound, by site; empty: none
  std::vector<RankAtSite> ranks;      // of those placed, as far as they are known
  std::vector<std::uint32_t> room;    // further members that fit, by site
  std::vector<bool> excluded;         // sites that get no further members; empty: none
};

// The placement of least predicted step time, exact to `exact_sites` sites and by local search
// beyond: one site when one can hold the gang, else the split over the sites whose lines cost the
// step least, with ranks in blocks along the ring. Where the gang does not fit as a whole, as many
// members as fit are planned. A gang of unknown size, or of fewer members than are placed, is
// planned for one member more than are placed. Deterministic; members placed where a plan had them
// do not change it as long as lines, capacity and size stay the same.
GangPlan PlanGang(const PlanRequest& request, std::size_t exact_sites = kExactSites);

}  // namespace fairlead::extender
