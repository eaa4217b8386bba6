#include "extender/gang_plan/plan_filter.h"

#include <map>

#include "extender/gang_plan/plan_words.h"

namespace fairlead::extender {

PlanFilter FilterByPlan(std::string_view gang, const GangPlan& plan, const Seat& seat,
                        std::span<const std::string_view> node_sites) {
  PlanFilter filter;
  filter.off_plan.reserve(node_sites.size());
  std::map<std::string_view, std::uint32_t> sentence_of;
  std::string_view last;
  std::uint32_t last_sentence = 0;
  for (const std::string_view site : node_sites) {
    if (site == seat.site) {
      filter.off_plan.push_back(0);
      continue;
    }
    if (last_sentence == 0 || site != last) {
      std::uint32_t& sentence = sentence_of[site];
      if (sentence == 0) {
        std::string text = "gang " + std::string(gang) + " (" + std::to_string(plan.size) +
                           ") is planned as " + SitesText(plan) + "; this pod's seat";
        if (seat.rank) text += ", rank " + std::to_string(*seat.rank) + ",";
        text += " is in " + seat.site + ", ";
        text += site.empty() ? "and this node has no site label" : "not in " + std::string(site);
        filter.sentences.push_back(std::move(text));
        sentence = static_cast<std::uint32_t>(filter.sentences.size());
      }
      last = site;
      last_sentence = sentence;
    }
    filter.off_plan.push_back(last_sentence);
  }
  return filter;
}

}  // namespace fairlead::extender
