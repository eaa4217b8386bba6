#include "extender/cost/chain_table.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fairlead::extender {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool Holds(std::uint32_t set, std::size_t site) { return (set >> site & 1U) != 0; }

}  // namespace

ChainTable::ChainTable(std::size_t sites, std::size_t most, const SiteWeight& weight)
    : sites_(sites),
      least_((std::size_t{1} << sites) * sites, kInfinite),
      before_((std::size_t{1} << sites) * sites, 0) {
  std::vector<double> weights(sites * sites);
  for (std::size_t i = 0; i < sites; ++i) {
    least_[(std::size_t{1} << i) * sites + i] = 0;
    for (std::size_t j = 0; j < sites; ++j) weights[i * sites + j] = i == j ? 0 : weight(i, j);
  }
  for (std::uint32_t set = 1; set < (1U << sites); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) >= most) continue;
    for (std::size_t last = 0; last < sites; ++last) {
      const double so_far = least_[set * sites + last];
      if (so_far == kInfinite) continue;
      for (std::size_t next = 0; next < sites; ++next) {
        if (Holds(set, next)) continue;
        const std::size_t to = (set | 1U << next) * sites + next;
        const double sum = so_far + weights[last * sites + next];
        if (sum >= least_[to]) continue;
        least_[to] = sum;
        before_[to] = static_cast<std::uint8_t>(last);
      }
    }
  }
}

std::vector<std::size_t> ChainTable::Order(std::uint32_t set) const {
  std::vector<std::size_t> order;
  std::size_t last = 0;
  double least = kInfinite;
  for (std::size_t i = 0; i < sites_; ++i) {
    if (!Holds(set, i) || least_[set * sites_ + i] >= least) continue;
    least = least_[set * sites_ + i];
    last = i;
  }
  while (set != 0) {
    order.push_back(last);
    const std::size_t previous = before_[set * sites_ + last];
    set &= ~(1U << last);
    last = previous;
  }
  std::ranges::reverse(order);
  // Of two sites, either is first.
  if (order.size() == 2) std::ranges::sort(order);
  return order;
}

}  // namespace fairlead::extender
