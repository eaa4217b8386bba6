#include "extender/gang_plan/gang_plan.h"

#include <algorithm>

namespace fairlead::extender {

std::uint32_t GangPlan::MembersIn(std::string_view site) const {
  const auto found = std::ranges::find(sites, site, &PlannedSite::site);
  return found == sites.end() ? 0 : found->members;
}

SiteCounts GangPlan::Counts() const {
  SiteCounts counts;
  for (const PlannedSite& site : sites) counts.emplace(site.site, site.members);
  return counts;
}

std::optional<std::string> GangPlan::SiteOfRank(std::uint32_t rank) const {
  const auto after = std::ranges::upper_bound(blocks, rank, {}, &RankBlock::first);
  if (after == blocks.begin()) return std::nullopt;
  const RankBlock& block = *std::prev(after);
  if (rank - block.first >= block.count) return std::nullopt;
  return block.site;
}

}  // namespace fairlead::extender
