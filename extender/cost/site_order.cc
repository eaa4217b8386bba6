#include "extender/cost/site_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace fairlead::extender {
namespace {

constexpr std::size_t kExactSites = 10;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

using Order = std::vector<std::size_t>;

// Weights of a whole search, so that the caller's function is asked once for each pair.
class Weights {
 public:
  Weights(const Order& sites, const SiteWeight& weight) : n_(sites.size()) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        values_[i * kExactSites + j] = i == j ? 0 : weight(sites[i], sites[j]);
      }
    }
  }
  std::size_t size() const { return n_; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * kExactSites + j]; }

 private:
  std::size_t n_;
  std::array<double, kExactSites * kExactSites> values_;
};

// Held and Karp 1962: least weight of a path over a set of sites that ends at one of them. A chain
// may start anywhere; a ring starts and ends at site 0, so that the sets are of the others.
Order HeldKarp(const Weights& weight, OrderShape shape) {
  const std::size_t skipped = shape == OrderShape::kRing ? 1 : 0;
  const std::size_t n = weight.size() - skipped;
  const std::size_t sets = std::size_t{1} << n;
  std::vector<double> best(sets * n, kInfinite);
  std::vector<std::uint8_t> before(sets * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    best[(std::size_t{1} << i) * n + i] = skipped == 0 ? 0 : weight(0, i + 1);
  }
  for (std::size_t set = 1; set < sets; ++set) {
    for (std::size_t last = 0; last < n; ++last) {
      const double so_far = best[set * n + last];
      if (so_far == kInfinite) continue;
      for (std::size_t next = 0; next < n; ++next) {
        if ((set >> next & 1) != 0) continue;
        const std::size_t to = (set | std::size_t{1} << next) * n + next;
        const double sum = so_far + weight(last + skipped, next + skipped);
        if (sum < best[to]) {
          best[to] = sum;
          before[to] = static_cast<std::uint8_t>(last);
        }
      }
    }
  }
  std::size_t last = 0;
  double least = kInfinite;
  for (std::size_t i = 0; i < n; ++i) {
    const double sum = best[(sets - 1) * n + i] + (skipped == 0 ? 0 : weight(i + 1, 0));
    if (sum < least) {
      least = sum;
      last = i;
    }
  }
  Order order;
  for (std::size_t set = sets - 1; set != 0;) {
    order.push_back(last + skipped);
    const std::size_t previous = before[set * n + last];
    set &= ~(std::size_t{1} << last);
    last = previous;
  }
  if (skipped == 1) order.push_back(0);
  std::ranges::reverse(order);
  return order;
}

double Total(const Order& order, OrderShape shape, const SiteWeight& weight) {
  double sum = shape == OrderShape::kRing ? weight(order.back(), order.front()) : 0;
  for (std::size_t i = 1; i < order.size(); ++i) sum += weight(order[i - 1], order[i]);
  return sum;
}

Order NearestNeighbour(Order left, const SiteWeight& weight) {
  Order order{left.front()};
  left.erase(left.begin());
  while (!left.empty()) {
    const auto nearest = std::ranges::min_element(
        left, {}, [&](std::size_t site) { return weight(order.back(), site); });
    order.push_back(*nearest);
    left.erase(nearest);
  }
  return order;
}

// Croes 1958: reverse stretches while that shortens the whole.
void TwoOpt(Order& order, OrderShape shape, const SiteWeight& weight) {
  double least = Total(order, shape, weight);
  bool better = true;
  while (better) {
    better = false;
    for (auto from = order.begin(); from != order.end(); ++from) {
      for (auto to = from + 1; to != order.end(); ++to) {
        std::reverse(from, to + 1);
        const double sum = Total(order, shape, weight);
        if (sum < least * (1 - 1e-12)) {
          least = sum;
          better = true;
        } else {
          std::reverse(from, to + 1);
        }
      }
    }
  }
}

}  // namespace

std::vector<std::size_t> ShortestOrder(std::vector<std::size_t> sites, OrderShape shape,
                                       const SiteWeight& weight) {
  std::ranges::sort(sites);
  // Every ring of three is the same ring.
  if (sites.size() <= 2 || (sites.size() == 3 && shape == OrderShape::kRing)) return sites;
  if (sites.size() <= kExactSites) {
    Order order = HeldKarp(Weights(sites, weight), shape);
    for (std::size_t& place : order) place = sites[place];
    return order;
  }
  Order order = NearestNeighbour(std::move(sites), weight);
  TwoOpt(order, shape, weight);
  return order;
}

}  // namespace fairlead::extender
