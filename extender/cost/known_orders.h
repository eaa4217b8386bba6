// The orders of sites in a search that prices many placements of one gang.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "extender/cost/chain_table.h"
#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender {

// Finding an order is most of the work of PredictCost. Single-threaded; what it is made from must
// outlive it.
class KnownOrders {
 public:
  KnownOrders(const CommunicationProfile& profile, const LineMatrix& lines)
      : profile_(profile), lines_(lines) {}

  // The order of PredictCost's breakdown of any placement with members in just these sites, which
  // ascend; empty where it is not known beforehand: of rings, and where the matrix has more than
  // ChainTable::kMostSites.
  std::vector<std::size_t> Of(const std::vector<std::size_t>& sites);

 private:
  const CommunicationProfile& profile_;
  const LineMatrix& lines_;
  std::array<std::optional<ChainTable>, ChainTable::kMostSites + 1> by_size_;
};

}  // namespace fairlead::extender
