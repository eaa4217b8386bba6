// Placements on small traces held against the best of all placements and against other policies.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/bench/placement_quality/simulation.h"

namespace fairlead::extender::quality {
namespace {

constexpr TraceSettings kSmall{
    .sites = 4, .least_capacity = 4, .most_capacity = 10, .most_members = 9, .events = 60};

std::vector<Placement> RunTraces(Counts (*place)(const Question&), std::span<const Policy> beside,
                                 std::uint32_t traces = 8) {
  std::vector<Placement> all;
  for (std::uint32_t seed = 100; seed < 100 + traces; ++seed) {
    const auto placements = Simulate(MakeTrace(kSmall, seed), {"", place}, beside);
    all.insert(all.end(), placements.begin(), placements.end());
  }
  return all;
}

TEST(PlacementQuality, ExactPlansAreNearTheBestAndNeverSplitNeedlessly) {
  const Summary summary = Summarise(RunTraces(Ours, {}));
  EXPECT_GT(summary.placements, 150U);
  EXPECT_GT(summary.splits, 20U);
  EXPECT_LE(summary.median_regret, 0.03);
  EXPECT_LE(summary.worst_regret, 0.10);
  EXPECT_EQ(summary.needless, 0U);
}

TEST(PlacementQuality, LocalSearchIsNearTheBestToo) {
  const Summary summary = Summarise(RunTraces(OursLocally, {}));
  EXPECT_LE(summary.median_regret, 0.03);
  EXPECT_LE(summary.worst_regret, 0.10);
}

TEST(PlacementQuality, NoOtherPolicyIsAheadByTwoPercentAtAnyMoment) {
  const auto policies = AllPolicies();
  for (const Placement& placement : RunTraces(Ours, policies)) {
    for (std::size_t i = 0; i < policies.size(); ++i) {
      EXPECT_LE(placement.seconds, placement.others[i] * 1.02) << policies[i].name;
    }
  }
}

// One decision after the other may leave another policy luckier in a single trace.
TEST(PlacementQuality, NoOtherPolicyIsAheadByTwoPercentOverManyTraces) {
  constexpr std::uint32_t kTraces = 80;
  const double ours = Summarise(RunTraces(Ours, {}, kTraces)).mean_seconds;
  for (const Policy& policy : AllPolicies()) {
    EXPECT_LE(ours, Summarise(RunTraces(policy.place, {}, kTraces)).mean_seconds * 1.02)
        << policy.name;
  }
}

}  // namespace
}  // namespace fairlead::extender::quality
