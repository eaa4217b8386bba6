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
  static constexpr std::size_t kMostSites = 10;

  SetBound(const CommunicationProfile& profile, const LineMatrix& lines);

  // No placement with members in all of these sites, given as bits, has a PredictCost below it. A
  // ring or chain over the set contains a spanning tree, so with M the least spanning tree's sum of
  // latencies a chain takes at least M and a ring k/(k-1) M, as dropping its longest edge leaves a
  // chain; with PredictCost's factors both come to 2 M. At least k edges move in lock-step. Each
  // site's best line bounds the bandwidth; the inside of a site only adds. Two trees take
  // at least twice the latency of the site whose nearest is farthest.
  double Seconds(std::uint32_t set) const;

 private:
  double Latency(std::uint32_t set, std::size_t i, std::size_t j) const;
  double LeastSpanningTree(std::uint32_t set) const;
  double FarthestSite(std::uint32_t set) const;

  const CommunicationProfile profile_;
  const std::size_t size_;
  std::vector<double> latency_;                // one way, by size of the set and both sites
  std::vector<double> best_seconds_per_byte_;  // of any line of the site
};

}  // namespace fairlead::extender
