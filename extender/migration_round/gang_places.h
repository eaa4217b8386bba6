// Where a whole gang could go, and what a step takes here and there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "extender/cost/collective_cost.h"
#include "extender/cost/line_matrix.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"
#include "extender/migration/gang_condition.h"
#include "extender/migration_round/line_facts.h"

namespace fairlead::extender {

// Seconds of a step, predicted: computing, and what that cannot hide of communication.
double StepSeconds(const CommunicationProfile& profile, const CostBreakdown& cost);

struct Here {
  double step_seconds = 0;
  std::vector<SitePair> crosses;  // lines in use, and insides of its sites that are judged
};
// `members` by site; `lines` over those sites at least.
Here StepHere(const CommunicationProfile& profile, const SiteCounts& members,
              const LineMatrix& lines, const LinesFacts& facts);

struct PlacesQuestion {
  CommunicationProfile profile;
  std::uint32_t members = 0;
  const SiteCounts& room;
  const LineMatrix& lines;
  const LinesFacts& facts;
  // Whether the gang may use a line, or the inside of a site, now.
  std::function<bool(const SitePair&)> usable;
};

// Places for all members over lines that are usable alone, best first, each once: of every largest
// set of sites between which all lines are usable, the best splits. With many sites between which
// few are, not all sets are looked at.
std::vector<Place> PlacesOf(const PlacesQuestion& question);

}  // namespace fairlead::extender
