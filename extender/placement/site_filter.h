// Sites that are out of the question for hard facts.
#pragma once

#include <string>
#include <vector>

#include "extender/link/link_view.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

enum class RefusalCause {
  kLineDown,
  kPodLimit,
  kRoomKept,  // for gangs that are being moved there; never of FilterSites
};

struct SiteRefusal {
  std::string site;
  RefusalCause cause = RefusalCause::kLineDown;
  std::string reason;  // one sentence that names line, value and limit
};

// Candidate sites that this pod cannot use, sorted by site: the line to a member of its gang is
// Down, or breaks one of the pod's own limits by a measured value. Preemption cannot mend either.
// What is stale or not known never refuses; a pod without a gang or members is never refused.
std::vector<SiteRefusal> FilterSites(const PlacementRequest& request, const LinkSnapshot& links);

}  // namespace fairlead::extender
