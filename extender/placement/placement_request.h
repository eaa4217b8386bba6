// One question: where shall the next member of this gang go?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"
#include "extender/gang/pod_wishes.h"

namespace fairlead::extender {

using SiteCounts = std::map<std::string, std::uint32_t, std::less<>>;

struct PlacementRequest {
  bool has_gang = false;  // false: every site is as good as another
  CommunicationProfile profile;
  LineLimits limits;
  SiteCounts members;           // gang members bound or assumed, without this pod
  std::uint32_t remaining = 1;  // members to be placed, this pod included; 1 if size unknown
  SiteCounts free_members;      // further members that fit, by site; absent: not known
  std::vector<std::string>
      candidate_sites;      // sites of the offered nodes; order and repeats ignored
  LineOccupancy occupancy;  // of other gangs
};

}  // namespace fairlead::extender
