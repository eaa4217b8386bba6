#include "extender/placement/completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "extender/placement/set_bound.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using Counts = std::vector<std::uint32_t>;

std::uint32_t Sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0U);
}

// Sites "a", "b", ... with random lines, wide enough that latency rules.
LineMatrix RandomMatrix(std::size_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> rtt(5, 200);
  sample::Links links;
  std::vector<std::string> sites;
  for (std::size_t i = 0; i < n; ++i) sites.emplace_back(1, static_cast<char>('a' + i));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double p50 = rtt(random);
      links.Line(sites[i], sites[j], p50, p50);
    }
  }
  return LineMatrix(sites, links.Snapshot(), {}, {});
}

// The least time over all ways to place `left` more, one of them at `site` already placed.
void BruteForce(const CompletionRequest& request, const LineMatrix& lines, Counts counts,
                std::size_t from, std::uint32_t left, double& least) {
  if (left == 0) {
    least = std::min(least, PredictCost(request.profile, lines, counts).seconds);
    return;
  }
  if (from == counts.size()) return;
  const std::uint32_t room = request.members[from] + request.free_members[from] - counts[from];
  for (std::uint32_t n = 0; n <= std::min(room, left); ++n) {
    BruteForce(request, lines, counts, from + 1, left - n, least);
    ++counts[from];
  }
}

CompletionRequest RandomRequest(std::size_t n, std::mt19937& random) {
  const auto below = [&random](std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
  };
  CompletionRequest request;
  constexpr std::array kPatterns{CommPattern::kAllreduce, CommPattern::kHierarchical,
                                 CommPattern::kPipeline, CommPattern::kLocalSgd,
                                 CommPattern::kTree};
  request.profile.pattern = kPatterns[below(kPatterns.size())];
  request.profile.bytes_per_step = 1000;
  for (std::size_t i = 0; i < n; ++i) {
    request.members.push_back(below(3) == 0 ? below(3) : 0);
    request.free_members.push_back(below(4));
  }
  request.remaining = 1 + below(5);
  return request;
}

TEST(BestCompletions, IsAsGoodAsTryingEveryPlacement) {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    const LineMatrix lines = RandomMatrix(4, random);
    const CompletionRequest request = RandomRequest(4, random);
    const auto completions = BestCompletions(request, lines);
    const std::uint32_t placing = std::min(request.remaining, Sum(request.free_members));
    for (std::size_t site = 0; site < 4; ++site) {
      ASSERT_EQ(completions[site].has_value(), request.free_members[site] > 0);
      if (!completions[site]) continue;
      Counts start = request.members;
      ++start[site];
      double least = 1e9;
      BruteForce(request, lines, start, 0, placing - 1, least);
      // How members are spread over a set of sites moves only microseconds inside a site.
      EXPECT_NEAR(completions[site]->cost.seconds, least, least * 0.01);
    }
  }
}

void ExpectPossible(const CompletionRequest& request, const LineMatrix& lines) {
  const auto completions = BestCompletions(request, lines);
  const std::uint32_t placing = std::min(request.remaining, Sum(request.free_members));
  for (std::size_t site = 0; site < lines.size(); ++site) {
    ASSERT_EQ(completions[site].has_value(), request.free_members[site] > 0);
    if (!completions[site]) continue;
    const Counts& placed = completions[site]->members;
    EXPECT_EQ(Sum(placed), Sum(request.members) + placing);
    EXPECT_GT(placed[site], request.members[site]);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_GE(placed[i], request.members[i]);
      EXPECT_LE(placed[i], request.members[i] + request.free_members[i]);
    }
    EXPECT_EQ(completions[site]->cost.seconds, PredictCost(request.profile, lines, placed).seconds);
  }
}

TEST(SetBound, NoPlacementIsFaster) {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + round % 5;
    const LineMatrix lines = RandomMatrix(n, random);
    CompletionRequest request = RandomRequest(n, random);
    request.profile.bytes_per_step = std::pow(10, round % 11);
    std::uint32_t set = 0;
    for (std::size_t i = 0; i < n; ++i) set |= request.members[i] > 0 ? 1U << i : 0U;
    if (set == 0) continue;
    const double seconds = PredictCost(request.profile, lines, request.members).seconds;
    const SetBound bound(request.profile, lines, Sum(request.members));
    EXPECT_LE(bound.Seconds(set), seconds * (1 + 1e-9));
  }
}

TEST(BestCompletions, PlacesEveryoneThatFitsAndNoMore) {
  std::mt19937 random(12);
  for (const std::size_t n : {1U, 2U, 6U, 12U}) {
    for (int round = 0; round < 10; ++round) {
      ExpectPossible(RandomRequest(n, random), RandomMatrix(n, random));
    }
  }
}

TEST(BestCompletions, TheFirstPodGoesWhereTheWholeGangFits) {
  // a - b 10 ms, a - c 20 ms, b - c 20 ms; only c holds all four.
  const auto links =
      sample::Links().Line("a", "b", 10, 10).Line("a", "c", 20, 20).Line("b", "c", 20, 20);
  const LineMatrix lines({"a", "b", "c"}, links.Snapshot(), {}, {});
  const auto completions = BestCompletions(
      {.profile = {}, .members = {0, 0, 0}, .free_members = {2, 2, 4}, .remaining = 4}, lines);
  EXPECT_EQ(completions[0]->members, (Counts{2, 2, 0}));
  EXPECT_EQ(completions[1]->members, (Counts{2, 2, 0}));
  EXPECT_EQ(completions[2]->members, (Counts{0, 0, 4}));
  EXPECT_LT(completions[2]->cost.seconds, completions[0]->cost.seconds);
}

TEST(BestCompletions, NoRoomNoAnswer) {
  const LineMatrix lines({"hk", "sg"}, sample::Lab().Snapshot(), {}, {});
  const auto completions = BestCompletions(
      {.profile = {}, .members = {2, 0}, .free_members = {0, 0}, .remaining = 1}, lines);
  EXPECT_FALSE(completions[0].has_value());
  EXPECT_FALSE(completions[1].has_value());
}

}  // namespace
}  // namespace fairlead::extender
