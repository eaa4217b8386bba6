// What deciding costs against one who knew the future.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "tests/extender/migration/migration_fixture.h"

namespace fairlead::extender {
namespace {

constexpr double kStep = 5;  // seconds between two rounds

// The share of time lost in each round; 0 while the line is well.
using Trace = std::vector<double>;

struct Costs {
  double online = 0;
  double offline = 0;
  int moves = 0;
};

MigrationConfig Bare(double margin) {
  MigrationConfig config = Enforcing();
  config.margin = margin;
  config.better_by = 1e-6;
  config.evidence_for = Seconds(0);
  config.reset_after = Seconds(1'000'000'000);
  config.min_runtime = Seconds(0);
  config.gang_cooldown = Seconds(0);
  config.exclusion = Seconds(0);
  config.destination_cooldown = Seconds(0);
  config.gang_moves = 1000;
  config.limits = {Seconds(3600), {1000, 1000}, {1000, 1000}, {1000, 1000}};
  return config;
}

// One gang that pays rate x time while it stays, and `cost` for leaving to a place without excess.
Costs Play(const Trace& trace, double cost, double margin) {
  MigrationCluster cluster(Bare(margin));
  cluster.round.gangs = {GangOf("a")};
  GangCondition& gang = cluster.round.gangs[0];
  gang.cost = {};
  gang.cost.restart.time = Nanoseconds(std::llround(cost * 1e9));
  Costs costs;
  double all = 0;
  for (const double rate : trace) {
    all += rate * kStep;
    if (costs.moves == 0) {
      cluster.Degrade(rate > 0 ? LinkState::kDegraded : LinkState::kHealthy);
      gang.step_seconds = gang.places[0].step_seconds / (1 - rate);
      if (cluster.Step().verdicts[0].reason == MigrationReason::kMove) {
        ++costs.moves;
        costs.online += cost;
      } else {
        costs.online += rate * kStep;
      }
    }
  }
  costs.offline = std::min(all, cost);
  return costs;
}

Trace OneEpisode(std::mt19937_64& random) {
  std::uniform_int_distribution<int> length(1, 400);
  std::uniform_real_distribution<double> rate(0.01, 0.95);
  std::bernoulli_distribution changes(0.05);
  Trace trace(static_cast<std::size_t>(length(random)));
  double now = rate(random);
  for (double& value : trace) {
    if (changes(random)) now = rate(random);
    value = now;
  }
  return trace;
}

TEST(SkiRental, CostsAtMostTwiceTheOptimumAndTheMarginInTenThousandEpisodes) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> cost_of(30, 2000);
  double worst = 0;
  int moved = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double margin = i % 2 == 0 ? 0 : 0.2;
    const double cost = cost_of(random);
    const Costs costs = Play(OneEpisode(random), cost, margin);
    moved += costs.moves;
    // Paid is looked at every round, so it may be a round more.
    const double bound = (2 + margin) * costs.offline + kStep;
    ASSERT_LE(costs.online, bound) << "trace " << i;
    worst = std::max(worst, (costs.online - kStep) / costs.offline - margin);
  }
  EXPECT_GT(moved, 1000);
  EXPECT_LT(moved, 9999);
  std::cout << "one episode each: moved in " << moved << " of 10000, worst ratio " << worst
            << " without the margin and one round\n";
}

// The least that many episodes at two places can cost: at each round stay, or leave for `cost`.
double Optimum(const std::vector<Trace>& places, double cost) {
  std::vector<double> best(places.size(), cost);
  best[0] = 0;
  for (std::size_t t = 0; t < places[0].size(); ++t) {
    const double least = *std::ranges::min_element(best) + cost;
    for (std::size_t p = 0; p < places.size(); ++p) {
      best[p] = std::min(best[p], least) + places[p][t] * kStep;
    }
  }
  return *std::ranges::min_element(best);
}

Trace ManyEpisodes(std::mt19937_64& random, std::size_t rounds) {
  std::exponential_distribution<double> well(1.0 / 2000);
  std::exponential_distribution<double> bad(1.0 / 300);
  std::uniform_real_distribution<double> rate(0.05, 0.9);
  Trace trace;
  while (trace.size() < rounds) {
    trace.insert(trace.end(), static_cast<std::size_t>(well(random)) + 1, 0.0);
    trace.insert(trace.end(), static_cast<std::size_t>(bad(random)) + 1, rate(random));
  }
  trace.resize(rounds);
  return trace;
}

// Two places whose lines go bad by turns, with the limits as they are shipped.
double RatioWithLimits(std::mt19937_64& random) {
  constexpr std::size_t kRounds = 24 * 3600 / 5;
  const std::vector<Trace> places{ManyEpisodes(random, kRounds), ManyEpisodes(random, kRounds)};
  const std::vector<SiteCounts> counts{{{"hk", 2}, {"sg", 1}}, {{"hk", 2}, {"tyo", 1}}};
  const std::vector<SitePair> lines{{"hk", "sg"}, {"hk", "tyo"}};
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  GangCondition& gang = cluster.round.gangs[0];
  const double cost = static_cast<double>(TotalCost(gang.cost)->count()) / 1e9;
  std::size_t at = 0;
  double online = 0;
  for (std::size_t t = 0; t < kRounds; ++t) {
    for (std::size_t p = 0; p < 2; ++p) {
      cluster.round.lines[p] =
          LineOf(lines[p].first, lines[p].second,
                 places[p][t] > 0 ? LinkState::kDegraded : LinkState::kHealthy);
    }
    const std::size_t other = 1 - at;
    gang.members = counts[at];
    gang.crosses = {lines[at]};
    gang.step_seconds = 0.05 / (1 - places[at][t]);
    gang.places = {{.members = counts[other],
                    .step_seconds = 0.05 / (1 - places[other][t]),
                    .lines = {lines[other]}}};
    for (PastMove& move : gang.history) {
      move.begun_ago += Seconds(5);
      *move.ended_ago += Seconds(5);
    }
    online += places[at][t] * kStep;
    if (cluster.Step().verdicts[0].reason != MigrationReason::kMove) continue;
    online += cost;
    gang.history.push_back({.id = std::to_string(t),
                            .begun_ago = Nanoseconds(0),
                            .ended_ago = Nanoseconds(0),
                            .disturbed = true,
                            .from = counts[at],
                            .to = counts[other],
                            .left = {lines[at]}});
    at = other;
  }
  const double optimum = Optimum(places, cost);
  return optimum < cost / 10 ? 1 : online / optimum;
}

TEST(SkiRental, WithLimitsAndManyEpisodesTheRatioIsTold) {
  std::mt19937_64 random(11);
  std::vector<double> ratios;
  for (int i = 0; i < 40; ++i) ratios.push_back(RatioWithLimits(random));
  std::ranges::sort(ratios);
  std::cout << "a day of episodes at two places, limits as shipped: cost against the optimum "
            << ratios[ratios.size() / 2] << " (median), " << ratios.back() << " (worst of "
            << ratios.size() << ")\n";
  EXPECT_GE(ratios.front(), 0.999) << "nobody is better than the optimum";
  EXPECT_LT(ratios[ratios.size() / 2], 4);
}

}  // namespace
}  // namespace fairlead::extender
