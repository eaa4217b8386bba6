// Scores of candidate sites, with the sentence that explains each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extender/cost/collective_cost.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

inline constexpr double kNeutralScore = 5;

struct SiteScore {
  std::string site;
  double score = kNeutralScore;   // 0..10
  int rounded = 5;                // nearest integer, for protocols without fractions
  std::optional<double> seconds;  // communication time a step; absent where nothing is known
  CostBreakdown cost;             // of the best completion with this pod here
  SiteCounts placement;           // that completion: members by site
  std::string explanation;        // one sentence without the site's name in front
};

// One score per distinct candidate site, sorted by site; look nodes up by their site.
//
// score = 10 x (1 - log(T / T_best) / log 8), clamped to 0..10. T is the predicted communication
// time with this pod at the site and the rest of the gang in its best completion by free capacity;
// T_best is the least T of any site with room. Times within noise of each other, max(5 %, their
// uncertainty), count as the smallest of them. A candidate site has room for this pod, whatever
// free_members says. Without a gang, or where nothing at all is known, the score is 5.
// Deterministic; independent of every order in the request. The best completion is exact to 10
// sites, beyond that greedy.
std::vector<SiteScore> ScoreSites(const PlacementRequest& request, const LinkSnapshot& links,
                                  const LineCatalogue& catalogue);

// Null when the site was no candidate. `scores` as ScoreSites returned them.
const SiteScore* FindSiteScore(const std::vector<SiteScore>& scores, std::string_view site);

}  // namespace fairlead::extender
