#include "extender/moves_in_hand/standing.h"

#include <algorithm>

#include "common/units/human.h"

namespace fairlead::extender {

Standing StandingByVerdict(const MigrationReport& report, const GangKey& gang,
                           Nanoseconds longest_age, MonotonicTime now) {
  if (!report.decided) return {.unwanted = {}, .holds = "the first decision"};
  if (now - report.at > longest_age) {
    return {.unwanted = {},
            .holds = "a decision; the newest was made " + HumanAge(now - report.at) + " ago"};
  }
  const auto found =
      std::ranges::find(report.gangs, gang, [](const GangReport& one) { return one.gang.key; });
  if (found == report.gangs.end()) {
    return {.unwanted = {}, .holds = "its members to be seen, by which it is judged"};
  }
  const MigrationVerdict& verdict = found->verdict;
  const bool stands =
      verdict.reason == MigrationReason::kMove || verdict.reason == MigrationReason::kMoving;
  return {.unwanted = stands ? verdict.unwanted : verdict.sentence, .holds = {}};
}

Standing WithRivals(Standing standing, const OpenMove& mine, std::span<const OpenMove> all,
                    const MigrationLimits& limits) {
  Rivalry rivalry = Compare(mine, all, limits.cluster.concurrent, limits.site.concurrent);
  if (standing.unwanted.empty()) standing.unwanted = std::move(rivalry.gives_way);
  if (standing.holds.empty()) standing.holds = std::move(rivalry.holds);
  return standing;
}

}  // namespace fairlead::extender
