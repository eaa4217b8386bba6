#include "extender/cost/site_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "extender/cost/chain_table.h"

namespace fairlead::extender {
namespace {

using Order = std::vector<std::size_t>;

class Weights {
 public:
  Weights(std::size_t n, std::uint32_t seed) : n_(n), weights_(n * n) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> weight(1, 100);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        weights_[i * n + j] = weights_[j * n + i] = weight(random);
      }
    }
  }
  double operator()(std::size_t i, std::size_t j) const { return weights_[i * n_ + j]; }

 private:
  std::size_t n_;
  std::vector<double> weights_;
};

double Total(const Order& order, OrderShape shape, const Weights& weights) {
  double sum = shape == OrderShape::kRing ? weights(order.back(), order.front()) : 0;
  for (std::size_t i = 1; i < order.size(); ++i) sum += weights(order[i - 1], order[i]);
  return sum;
}

Order Sites(std::size_t n) {
  Order sites(n);
  std::iota(sites.begin(), sites.end(), std::size_t{0});
  return sites;
}

double BruteForce(std::size_t n, OrderShape shape, const Weights& weights) {
  Order order = Sites(n);
  double least = Total(order, shape, weights);
  while (std::next_permutation(order.begin(), order.end())) {
    least = std::min(least, Total(order, shape, weights));
  }
  return least;
}

class ShortestOrderOf : public ::testing::TestWithParam<OrderShape> {};

TEST_P(ShortestOrderOf, UpToSevenSitesIsAsGoodAsTryingAll) {
  for (std::size_t n = 1; n <= 7; ++n) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
      const Weights weights(n, seed);
      const Order order = ShortestOrder(Sites(n), GetParam(), weights);
      EXPECT_NEAR(Total(order, GetParam(), weights), BruteForce(n, GetParam(), weights), 1e-9);
    }
  }
}

TEST_P(ShortestOrderOf, VisitsEachSiteOnceWhateverTheOrderGiven) {
  for (const std::size_t n : {2U, 4U, 10U, 11U, 15U}) {
    const Weights weights(n, 7);
    Order given = Sites(n);
    const Order first = ShortestOrder(given, GetParam(), weights);
    EXPECT_TRUE(std::is_permutation(first.begin(), first.end(), given.begin(), given.end()));
    std::shuffle(given.begin(), given.end(), std::mt19937(3));
    EXPECT_EQ(ShortestOrder(given, GetParam(), weights), first);
  }
}

TEST_P(ShortestOrderOf, BeyondTenIsNoWorseThanTheNamesInOrder) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Weights weights(14, seed);
    EXPECT_LT(Total(ShortestOrder(Sites(14), GetParam(), weights), GetParam(), weights),
              Total(Sites(14), GetParam(), weights));
  }
}

TEST(ChainTable, GivesEverySetItsShortestOrder) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const Weights weights(7, seed);
    // Equal weights have several shortest chains, of which it must be the same one.
    const SiteWeight weight = [&](std::size_t i, std::size_t j) {
      return seed < 2 ? weights(i, j) : std::floor(weights(i, j) / 50);
    };
    for (std::size_t most = 1; most <= 7; ++most) {
      const ChainTable table(7, most, weight);
      for (std::uint32_t set = 1; set < (1U << 7); ++set) {
        if (static_cast<std::size_t>(std::popcount(set)) > most) continue;
        Order sites;
        for (std::size_t i = 0; i < 7; ++i) {
          if ((set >> i & 1) != 0) sites.push_back(i);
        }
        EXPECT_EQ(table.Order(set), ShortestOrder(sites, OrderShape::kChain, weight)) << set;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShortestOrderOf,
                         ::testing::Values(OrderShape::kRing, OrderShape::kChain));

}  // namespace
}  // namespace fairlead::extender
