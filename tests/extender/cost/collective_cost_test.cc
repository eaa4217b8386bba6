#include "extender/cost/collective_cost.h"

#include <gtest/gtest.h>

#include <random>

#include "extender/cost/known_orders.h"
#include "tests/extender/sample/links.h"
#include "tests/extender/sample/matrix.h"

namespace fairlead::extender {
namespace {

using sample::Catalogue;
using sample::Lab;
using sample::Links;

// Sites in the order hk, sg, tyo; lines of 36, 50 and 68 ms without jitter and 125 MB/s; inside a
// site the prior of 20 us and 12.5 GB/s.
LineMatrix Matrix(const LinkSnapshot& links = Lab().Snapshot()) {
  return LineMatrix({"hk", "sg", "tyo"}, links, Catalogue(), {});
}

CommunicationProfile Profile(CommPattern pattern, double bytes) {
  return {.pattern = pattern, .bytes_per_step = bytes, .compute_per_step = {}, .sync_every = 500};
}

struct CostCase {
  const char* name;
  CommPattern pattern;
  std::vector<std::uint32_t> members;
  double latency_ms;
  double bandwidth_ms;
};

class WorkedCost : public ::testing::TestWithParam<CostCase> {};

TEST_P(WorkedCost, ForOneMegabyte) {
  const CostCase& expected = GetParam();
  const CostBreakdown cost =
      PredictCost(Profile(expected.pattern, 1e6), Matrix(), expected.members);
  EXPECT_NEAR(cost.latency_seconds * 1e3, expected.latency_ms, 1e-4);
  EXPECT_NEAR(cost.bandwidth_seconds * 1e3, expected.bandwidth_ms, 1e-4);
  EXPECT_DOUBLE_EQ(cost.seconds, cost.latency_seconds + cost.bandwidth_seconds);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WorkedCost,
    ::testing::Values(
        CostCase{"alone", CommPattern::kAllreduce, {1, 0, 0}, 0, 0},
        // 2 x 1/2 x 2 edges x 10 us; 1e6 B / 12.5 GB/s
        CostCase{"pair_in_site", CommPattern::kAllreduce, {2, 0, 0}, 0.02, 0.08},
        CostCase{"pair_in_site_hier", CommPattern::kHierarchical, {2, 0, 0}, 0.02, 0.08},
        // 4/3 x (0.01 + 18 + 18); 4/3 x 1e6 / 125e6
        CostCase{"ring_2_1", CommPattern::kAllreduce, {2, 1, 0}, 48.013333, 10.666667},
        // inside hk 0.02 and 0.08; between sites 2 x 1/2 x (18 + 18) and 8
        CostCase{"hier_2_1", CommPattern::kHierarchical, {2, 1, 0}, 36.02, 8.08},
        // 2 x (0.01 + 18); 8
        CostCase{"pipe_2_1", CommPattern::kPipeline, {2, 1, 0}, 36.02, 8},
        CostCase{"localsgd_2_1", CommPattern::kLocalSgd, {2, 1, 0}, 36.02 / 500, 8.08 / 500},
        // 2 x 2/3 x (18 + 34 + 25); 2 x 2/3 x 8
        CostCase{"ring_three_sites", CommPattern::kAllreduce, {1, 1, 1}, 102.666667, 10.666667},
        CostCase{"hier_three_sites", CommPattern::kHierarchical, {1, 1, 1}, 102.666667, 10.666667},
        // 2 x (one level inside hk 0.01 + 18); 2 x 8
        CostCase{"tree_2_1", CommPattern::kTree, {2, 1, 0}, 36.02, 16},
        // Three levels inside hk.
        CostCase{"tree_in_site", CommPattern::kTree, {5, 0, 0}, 0.06, 0.16},
        // Order sg - hk - tyo; the deeper tree is hk below tyo below sg: 2 x (25 + 34); 2 x 8
        CostCase{"tree_three_sites", CommPattern::kTree, {1, 1, 1}, 118, 16},
        // The chain goes sg - hk - tyo: 2 x (18 + 25); 8
        CostCase{"pipe_three_sites", CommPattern::kPipeline, {1, 1, 1}, 86, 8}),
    [](const auto& test) { return test.param.name; });

TEST(PredictCost, NamesTheLinesInUseAndTheCostliest) {
  const CostBreakdown two = PredictCost(Profile(CommPattern::kAllreduce, 1e3), Matrix(), {2, 1, 0});
  EXPECT_EQ(two.lines, (std::vector<LineIndex>{{0, 1}}));
  EXPECT_EQ(two.sites_used, 2U);
  EXPECT_EQ(two.members, 3U);
  const CostBreakdown three =
      PredictCost(Profile(CommPattern::kAllreduce, 1e3), Matrix(), {1, 1, 1});
  EXPECT_EQ(three.lines.size(), 3U);
  EXPECT_EQ(three.dominant, (LineIndex{1, 2}));
  const CostBreakdown one = PredictCost(Profile(CommPattern::kAllreduce, 1e3), Matrix(), {3, 0, 0});
  EXPECT_TRUE(one.lines.empty());
  EXPECT_EQ(one.dominant, std::nullopt);
}

TEST(PredictCost, ExposesWhatComputeCannotHide) {
  CommunicationProfile profile = Profile(CommPattern::kHierarchical, 1e6);
  profile.compute_per_step = sample::Ms(40);  // hides 26 of 44.1 ms
  EXPECT_NEAR(PredictCost(profile, Matrix(), {2, 1, 0}).exposed_seconds, 0.0181, 1e-7);
  profile.compute_per_step = Seconds(1);
  EXPECT_EQ(PredictCost(profile, Matrix(), {2, 1, 0}).exposed_seconds, 0);
}

TEST(PredictCost, TheWeakestBasisIsThatOfTheLinesInUse) {
  const LinkSnapshot links = Links().Line("hk", "sg", 36, 36).Snapshot();
  const auto basis = [&](std::vector<std::uint32_t> members) {
    return PredictCost(Profile(CommPattern::kAllreduce, 1e6), Matrix(links), members).weakest_basis;
  };
  EXPECT_EQ(basis({1, 1, 0}), LineBasis::kMeasured);
  EXPECT_EQ(basis({1, 0, 1}), LineBasis::kPrior);
  EXPECT_EQ(basis({1, 1, 1}), LineBasis::kPrior);
}

TEST(PredictCost, AnUnmeasuredLineMakesTheTimeUncertain) {
  const CommunicationProfile profile = Profile(CommPattern::kAllreduce, 1);
  EXPECT_NEAR(PredictCost(profile, Matrix({}), {1, 1, 0}).uncertainty_ratio, 0.3, 1e-3);
  EXPECT_LT(PredictCost(profile, Matrix(), {1, 1, 0}).uncertainty_ratio, 1e-3);
}

class EveryPattern : public ::testing::TestWithParam<CommPattern> {};

TEST_P(EveryPattern, NeverGetsCheaperWithMoreRttLossOrBytes) {
  double last = 0;
  for (double p50 = 26; p50 < 300; p50 *= 1.1) {
    const LineMatrix lines = Matrix(Lab().Line("hk", "sg", p50, p50 + 2).Snapshot());
    const double seconds = PredictCost(Profile(GetParam(), 1e7), lines, {2, 2, 0}).seconds;
    EXPECT_GE(seconds, last);
    last = seconds;
  }
  last = 0;
  for (std::uint64_t lost = 0; lost < 1000; lost += 10) {
    Links links = Lab();
    links.At("hk", "sg").forward.loss = MakeLossInterval(lost, 1000);
    const double seconds =
        PredictCost(Profile(GetParam(), 1e7), Matrix(links.Snapshot()), {2, 2, 0}).seconds;
    EXPECT_GE(seconds, last);
    last = seconds;
  }
  last = 0;
  for (double bytes = 1; bytes < 1e12; bytes *= 3) {
    const double seconds = PredictCost(Profile(GetParam(), bytes), Matrix(), {2, 2, 1}).seconds;
    EXPECT_GT(seconds, last);
    last = seconds;
  }
}

TEST_P(EveryPattern, OrdersKnownBeforehandAreThoseOfTheBreakdown) {
  std::mt19937 random(4);
  const LineMatrix lines = sample::RandomMatrix(6, random, 1.5);
  const CommunicationProfile profile = Profile(GetParam(), 1e7);
  KnownOrders orders(profile, lines);
  for (std::uint32_t set = 1; set < (1U << 6); ++set) {
    std::vector<std::uint32_t> members(6);
    std::vector<std::size_t> sites;
    for (std::size_t i = 0; i < 6; ++i) {
      if ((set >> i & 1) == 0) continue;
      sites.push_back(i);
      members[i] = 2;
    }
    const std::vector<std::size_t> order = orders.Of(sites);
    const bool chain = GetParam() == CommPattern::kTree || GetParam() == CommPattern::kPipeline;
    EXPECT_EQ(order.empty(), !chain);
    if (!order.empty()) {
      EXPECT_EQ(order, PredictCost(profile, lines, members).order) << set;
    }
  }
}

TEST_P(EveryPattern, AKnownOrderServesWhereItDoesNotDependOnMembers) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    const LineMatrix lines = sample::RandomMatrix(6, random, 1.5);
    const CommunicationProfile profile = Profile(GetParam(), 1e7);
    const CostBreakdown before = PredictCost(profile, lines, {1, 9, 2, 0, 3, 1});
    const std::vector<std::uint32_t> members{4, 1, 7, 0, 2, 30};
    const CostBreakdown anew = PredictCost(profile, lines, members);
    if (OrderDependsOnMembers(GetParam())) continue;
    const CostBreakdown known = PredictCost(profile, lines, members, &before.order);
    EXPECT_EQ(known.order, anew.order);
    EXPECT_EQ(known.seconds, anew.seconds);
    EXPECT_EQ(known.lines, anew.lines);
  }
}

TEST_P(EveryPattern, OneSiteBeatsTwoAndTwoBeatThree) {
  const auto seconds = [](std::vector<std::uint32_t> members) {
    return PredictCost(Profile(GetParam(), 1e6), Matrix(), members).seconds;
  };
  EXPECT_LT(seconds({3, 0, 0}), seconds({2, 1, 0}));
  EXPECT_LT(seconds({2, 1, 0}), seconds({1, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(Patterns, EveryPattern,
                         ::testing::Values(CommPattern::kAllreduce, CommPattern::kHierarchical,
                                           CommPattern::kPipeline, CommPattern::kLocalSgd,
                                           CommPattern::kTree),
                         [](const auto& test) { return std::string(CommPatternName(test.param)); });

TEST(CommPattern, WordsReadBack) {
  for (const CommPattern pattern :
       {CommPattern::kAllreduce, CommPattern::kHierarchical, CommPattern::kPipeline,
        CommPattern::kLocalSgd, CommPattern::kTree}) {
    EXPECT_EQ(ParseCommPattern(CommPatternName(pattern)), pattern);
  }
  EXPECT_EQ(ParseCommPattern("AllReduce"), std::nullopt);
  EXPECT_EQ(ParseCommPattern(""), std::nullopt);
}

}  // namespace
}  // namespace fairlead::extender
