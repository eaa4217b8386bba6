// The shortest chains through many sets of sites, found together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "extender/cost/site_order.h"

namespace fairlead::extender {

// Held and Karp's sums over a set hold for every set that has it inside, so that all sets cost
// little more than the largest alone. Immutable.
class ChainTable {
 public:
  static constexpr std::size_t kMostSites = 10;

  // For sets of at most `most` of the sites 0 .. `sites` - 1, which are kMostSites at most.
  ChainTable(std::size_t sites, std::size_t most, const SiteWeight& weight);

  // ShortestOrder of the sites of a set, given as bits and not empty, as a chain.
  std::vector<std::size_t> Order(std::uint32_t set) const;

 private:
  std::size_t sites_;
  std::vector<double> least_;         // of a chain through a set that ends at a site, by both
  std::vector<std::uint8_t> before_;  // the site before the end of that chain
};

}  // namespace fairlead::extender
