// In which order a ring or chain visits sites.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fairlead::extender {

enum class OrderShape { kRing, kChain };

// Symmetric, non-negative weight of going between two sites.
using SiteWeight = std::function<double(std::size_t, std::size_t)>;

// An order of `sites` of least total weight; deterministic, independent of the order given. Exact
// (Held-Karp) to 10 sites, beyond that nearest neighbour improved by 2-opt.
std::vector<std::size_t> ShortestOrder(std::vector<std::size_t> sites, OrderShape shape,
                                       const SiteWeight& weight);

}  // namespace fairlead::extender
