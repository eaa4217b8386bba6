#include "extender/gang_plan/plan_words.h"

#include <cstdio>

#include "common/units/human.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

std::string LinesText(const GangPlan& plan) {
  std::string text = plan.lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < plan.lines.size(); ++i) {
    if (i > 0) text += ", ";
    text += plan.lines[i].first + "-" + plan.lines[i].second;
  }
  return text;
}

// "; 12 in sg and 4 in tyo would take 80 ms, 1.5 times as long".
std::string NextBest(const GangPlan& plan) {
  if (plan.alternatives.empty() || plan.cost.seconds <= 0) return {};
  const PlanAlternative& next = plan.alternatives.front();
  char factor[32];
  std::snprintf(factor, sizeof(factor), "%.2f", next.seconds / plan.cost.seconds);
  return "; " + DescribePlacement(next.members) + " would take " + StepTime(next.seconds) + ", " +
         factor + " times as long";
}

}  // namespace

std::string SitesText(const GangPlan& plan) {
  std::string text;
  for (const PlannedSite& site : plan.sites) {
    if (!text.empty()) text += ", ";
    text += std::to_string(site.members) + " in " + site.site;
  }
  return text;
}

std::string WhyText(const GangPlan& plan, std::string_view roomiest,
                    std::uint32_t most_in_one_site) {
  const std::string size = Counted(plan.size, "member", "members");
  if (plan.planned == 0) return "no site has room for any of " + size;
  std::string text;
  if (plan.planned < plan.size) {
    text = "room for " + std::to_string(plan.planned) + " of " + size + " only: ";
  } else if (plan.sites.size() == 1) {
    return plan.sites[0].site + " holds all " + size + NextBest(plan);
  } else if (most_in_one_site < plan.size) {
    text = "no site holds all " + size + " (" + std::string(roomiest) + " holds most, " +
           std::to_string(most_in_one_site) + "): ";
  } else {
    text = "members are placed in more than one site: ";
  }
  text += SitesText(plan) + ", " + StepTime(plan.cost.seconds) + " a step";
  if (!plan.lines.empty()) text += " over " + LinesText(plan);
  return text + NextBest(plan);
}

}  // namespace fairlead::extender
