// What a gang spread over a set of sites takes at the very least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender {

// Cheap beside PredictCost, so that a search need not price most sets. For at most kMostSites.
class SetBound {
 public:
  static constexpr std::size_t kMostSites = 32;

  // `members`: of the whole gang.
  SetBound(const CommunicationProfile& profile, const LineMatrix& lines, std::uint32_t members);

  // No placement of the gang with members in all of these sites, given as bits, has a PredictCost
  // below it. The inside of sites only adds; at least as many edges move in lock-step as there are
  // sites. What crosses between sites, with k of them:
  //   ring    latencies sum to at least k/(k-1) times the least spanning tree, as a ring without
  //   its
  //           longest edge is a chain, and to half of each site's two least; the slowest edge is no
  //           faster than any site's second fastest
  //   chain   at least the least spanning tree
  //   trees   the deepest path is at least the least distance, over any sites, within which one
  //   site
  //           of the set has all others
  // and of each the slowest edge is no faster than the slowest of the tree of fastest edges.
  double Seconds(std::uint32_t set) const;

 private:
  double Latency(std::uint32_t set, std::size_t i, std::size_t j) const;
  double Radius(std::uint32_t set) const;
  double DeepestPath(std::uint32_t set) const;

  const CommunicationProfile profile_;
  const std::uint32_t members_;
  const std::size_t size_;
  std::vector<std::size_t> depth_;        // edges of the deepest path, by number of sites
  std::vector<double> latency_;           // one way, by size of the set and both sites
  std::vector<double> seconds_per_byte_;  // by both sites
  std::vector<double> distance_;          // least one-way latency over any sites, by both
};

}  // namespace fairlead::extender
