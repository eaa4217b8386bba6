// Ways to place a gang: ours and those of other schedulers, reduced to what they decide by.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender::quality {

using Counts = std::vector<std::uint32_t>;  // members by site

// One gang that fits into the cluster as a whole, and what is known when it comes.
struct Question {
  std::uint32_t size = 0;
  CommunicationProfile profile;
  const LineMatrix& lines;              // as measured now
  const Counts& room;                   // by site
  const Counts& capacity;               // by site
  const std::vector<double>& usual_ms;  // RTT when the cluster was set up, by both sites
};

struct Policy {
  std::string_view name;
  Counts (*place)(const Question&);
};

// The default score of kube-scheduler: each pod to the site with the largest free share.
Counts DefaultSpread(const Question& question);
// A rule that ranks nodes by one metric, here the mean RTT of their site's lines: sites are filled
// in that order.
Counts RankBased(const Question& question);
// A table of costs between regions, written when the cluster was set up: each pod to the site with
// the least sum of costs to the members already placed.
Counts RegionCosts(const Question& question);
// Tiers written when the cluster was set up: a site, sites within 40 ms of each other, everything.
// The lowest tier that holds the gang, of several the one with least room; in it the site with most
// room first.
Counts TierBased(const Question& question);
// PlanGang.
Counts Ours(const Question& question);
// PlanGang's local search, which it uses beyond ten sites.
Counts OursLocally(const Question& question);

std::span<const Policy> AllPolicies();

// The least time of a step over every way to place the gang.
double LeastSeconds(const Question& question);

}  // namespace fairlead::extender::quality
