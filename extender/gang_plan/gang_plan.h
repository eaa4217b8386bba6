// Where a whole gang goes: plain values that a decision acts on and a person reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "extender/cost/collective_cost.h"
#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

struct PlannedSite {
  std::string site;
  std::uint32_t members = 0;  // of the whole gang, those placed already included
  bool operator==(const PlannedSite&) const = default;
};

// Ranks first .. first + count - 1 belong to one site.
struct RankBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::string site;
  bool operator==(const RankBlock&) const = default;
};

// What else was weighed. `seconds` is the predicted communication time of a step.
struct PlanAlternative {
  SiteCounts members;
  double seconds = 0;
};

struct GangPlan {
  std::uint32_t size = 0;          // members the gang has, as far as is known
  std::uint32_t planned = 0;       // of them, those that a site was found for
  std::vector<PlannedSite> sites;  // in the order of the ring or chain; none with 0 members
  std::vector<RankBlock> blocks;   // ascending, none overlap; covers `planned` ranks
  CostBreakdown cost;              // its indices are those of the request's matrix
  std::vector<std::pair<std::string, std::string>> lines;  // crossed; each pair sorted
  std::vector<PlanAlternative> alternatives;               // best first, at most 3
  std::string why;                                         // one sentence

  // Members by site; 0 for a site that is not of the plan.
  std::uint32_t MembersIn(std::string_view site) const;
  SiteCounts Counts() const;
  // The site of a rank; absent for a rank beyond the blocks.
  std::optional<std::string> SiteOfRank(std::uint32_t rank) const;
};

}  // namespace fairlead::extender
