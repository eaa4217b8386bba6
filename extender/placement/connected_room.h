// How large a gang the sites that reach each other can hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "extender/link/link_view.h"

namespace fairlead::extender {

struct ConnectedRoom {
  std::uint64_t hcas = 0;
  std::vector<std::string> sites;  // that hold them, sorted
};

// The most `rdma/hca` of any set of sites no two of which are cut off from each other by a line
// that is Down; `hcas` by site. A line not known or in any other state cuts nothing off. Exact to
// 20 sites; beyond that it may be too large, never too small: the largest sum of a site and all
// that it reaches.
ConnectedRoom LargestConnectedRoom(const std::map<std::string, std::uint64_t>& hcas,
                                   const LinkSnapshot& links);

}  // namespace fairlead::extender
