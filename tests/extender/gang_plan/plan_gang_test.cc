#include "extender/gang_plan/plan_gang.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/extender/sample/links.h"
#include "tests/extender/sample/matrix.h"

namespace fairlead::extender {
namespace {

using sample::RandomMatrix;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Counts = std::vector<std::uint32_t>;

constexpr std::array kPatterns{CommPattern::kAllreduce, CommPattern::kHierarchical,
                               CommPattern::kPipeline, CommPattern::kLocalSgd, CommPattern::kTree};

const LineMatrix& Lab() {
  static const LineMatrix lines({"hk", "sg", "tyo"}, sample::Lab().Snapshot(), sample::Catalogue(),
                                {});
  return lines;
}

PlanRequest Request(std::uint32_t size, Counts room, const LineMatrix& lines = Lab()) {
  return {.profile = {},
          .lines = lines,
          .size = size,
          .placed = {},
          .ranks = {},
          .room = std::move(room),
          .excluded = {}};
}

std::uint32_t Below(std::mt19937& random, std::uint32_t limit) {
  return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
}

PlanRequest RandomRequest(std::size_t sites, std::uint32_t most, const LineMatrix& lines,
                          std::mt19937& random) {
  PlanRequest request = Request(2 + Below(random, most - 1), {}, lines);
  request.profile.pattern = kPatterns[Below(random, kPatterns.size())];
  request.profile.bytes_per_step = std::pow(10.0, 3 + Below(random, 6));
  for (std::size_t i = 0; i < sites; ++i) request.room.push_back(Below(random, most));
  return request;
}

// Least time over every way to place the gang; nothing where it does not fit.
std::optional<double> BruteForce(const PlanRequest& request) {
  std::optional<double> least;
  Counts counts(request.lines.size());
  const auto place = [&](auto& self, std::size_t site, std::uint32_t left) -> void {
    if (site == counts.size()) {
      if (left > 0) return;
      const double seconds = PredictCost(request.profile, request.lines, counts).seconds;
      least = std::min(least.value_or(seconds), seconds);
      return;
    }
    for (std::uint32_t n = 0; n <= std::min(left, request.room[site]); ++n) {
      counts[site] = n;
      self(self, site + 1, left - n);
    }
    counts[site] = 0;
  };
  place(place, 0, *request.size);
  return least;
}

TEST(PlanGang, OneSiteWhenOneCanHoldIt) {
  const GangPlan plan = PlanGang(Request(64, {40, 24, 80}));
  EXPECT_EQ(plan.Counts(), (SiteCounts{{"tyo", 64}}));
  EXPECT_THAT(plan.blocks, ElementsAre(RankBlock{0, 64, "tyo"}));
  EXPECT_THAT(plan.lines, IsEmpty());
  EXPECT_THAT(plan.why, HasSubstr("tyo holds all 64 members"));
}

TEST(PlanGang, OfSitesThatHoldItTheOneWithLeastRoom) {
  EXPECT_EQ(PlanGang(Request(8, {40, 9, 80})).Counts(), (SiteCounts{{"sg", 8}}));
}

TEST(PlanGang, ElseTheSitesWhoseLinesCostLeast) {
  const GangPlan plan = PlanGang(Request(64, {40, 30, 40}));
  // hk - sg is the shortest line.
  EXPECT_EQ(plan.planned, 64U);
  EXPECT_EQ(plan.MembersIn("tyo"), 0U);
  EXPECT_EQ(plan.MembersIn("hk") + plan.MembersIn("sg"), 64U);
  EXPECT_THAT(plan.lines, ElementsAre(std::pair<std::string, std::string>("hk", "sg")));
  EXPECT_THAT(plan.why, HasSubstr("no site holds all 64 members (hk holds most, 40): "));
  EXPECT_THAT(plan.why, HasSubstr(" a step over line hk-sg; "));
  EXPECT_FALSE(plan.alternatives.empty());
}

TEST(PlanGang, ExcludedSitesGetNobodyButKeepWhomTheyHave) {
  PlanRequest request = Request(8, {40, 30, 40});
  request.placed = {1, 0, 0};
  request.excluded = {true, false, false};
  const GangPlan plan = PlanGang(request);
  EXPECT_EQ(plan.MembersIn("hk"), 1U);
  EXPECT_EQ(plan.MembersIn("sg"), 7U);
  EXPECT_THAT(plan.why, HasSubstr("members are placed in more than one site"));
}

TEST(PlanGang, ASizeThatIsNotKnownIsOneMoreThanPlaced) {
  PlanRequest request = Request(0, {40, 30, 40});
  EXPECT_EQ(PlanGang(request).size, 1U);
  request.placed = {3, 0, 0};
  EXPECT_EQ(PlanGang(request).size, 4U);
  request.size = std::nullopt;
  EXPECT_EQ(PlanGang(request).Counts(), (SiteCounts{{"hk", 4}}));
  request.size = 2;  // told less than there are
  EXPECT_EQ(PlanGang(request).size, 4U);
  request.size = 3;
  EXPECT_EQ(PlanGang(request).size, 3U);
}

TEST(PlanGang, WhatDoesNotFitIsPlannedAsFarAsItDoes) {
  const GangPlan plan = PlanGang(Request(64, {10, 0, 5}));
  EXPECT_EQ(plan.size, 64U);
  EXPECT_EQ(plan.planned, 15U);
  EXPECT_EQ(plan.Counts(), (SiteCounts{{"hk", 10}, {"tyo", 5}}));
  EXPECT_THAT(plan.why, HasSubstr("room for 15 of 64 members only"));
  const GangPlan none = PlanGang(Request(64, {0, 0, 0}));
  EXPECT_EQ(none.planned, 0U);
  EXPECT_THAT(none.sites, IsEmpty());
  EXPECT_THAT(none.why, HasSubstr("no site has room for any of 64 members"));
  EXPECT_EQ(PlanGang(Request(64, {}, LineMatrix({}, {}, {}, {}))).planned, 0U);
}

TEST(PlanGang, LinesThatOthersUseAreLeftAloneWhereAnotherIsAsGood) {
  const auto links =
      sample::Links().Line("a", "b", 30, 30).Line("a", "c", 30, 30).Line("b", "c", 90, 90);
  const LineCatalogue catalogue(
      {}, {{"a", "b", 1'000'000'000}, {"a", "c", 1'000'000'000}, {"b", "c", 1'000'000'000}});
  const LineMatrix lines({"a", "b", "c"}, links.Snapshot(), catalogue, {{{"a", "b"}, 1}});
  EXPECT_EQ(PlanGang(Request(8, {6, 6, 6}, lines)).MembersIn("b"), 0U);
}

TEST(PlanGang, SmallGangsAreWithinOnePercentOfTheBestOfAllPlacements) {
  std::mt19937 random(21);
  std::vector<double> regrets;
  for (int round = 0; round < 150; ++round) {
    const std::size_t sites = 2 + Below(random, 3);
    const LineMatrix lines = RandomMatrix(sites, random, 1.5);
    const PlanRequest request = RandomRequest(sites, 9, lines, random);
    const std::optional<double> least = BruteForce(request);
    const GangPlan plan = PlanGang(request);
    ASSERT_EQ(plan.planned == *request.size, least.has_value());
    if (!least) continue;
    regrets.push_back(plan.cost.seconds / *least - 1);
    EXPECT_LE(regrets.back(), 0.03);
  }
  std::ranges::sort(regrets);
  EXPECT_LE(regrets[regrets.size() / 2], 0.01);
}

TEST(PlanGang, LocalSearchIsNearTheBestOfAllPlacements) {
  std::mt19937 random(22);
  std::vector<double> regrets;
  for (int round = 0; round < 150; ++round) {
    const LineMatrix lines = RandomMatrix(5, random, 1.2);
    const PlanRequest request = RandomRequest(5, 7, lines, random);
    const std::optional<double> least = BruteForce(request);
    if (!least) continue;
    regrets.push_back(PlanGang(request, 0).cost.seconds / *least - 1);
    EXPECT_LE(regrets.back(), 0.10);
  }
  std::ranges::sort(regrets);
  EXPECT_LE(regrets[regrets.size() / 2], 0.03);
}

// The sites with the most room, or those nearest to the roomiest, until the gang fits.
double Greedy(const PlanRequest& request, bool by_room) {
  Counts counts(request.room.size());
  std::uint32_t left = *request.size;
  std::optional<std::size_t> first;
  while (left > 0) {
    std::optional<std::size_t> best;
    const auto better = [&](std::size_t a, std::size_t b) {
      if (by_room || !first) return request.room[a] > request.room[b];
      return request.lines.At(*first, a).rtt_p50_seconds <
             request.lines.At(*first, b).rtt_p50_seconds;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0 || request.room[i] == 0) continue;
      if (!best || better(i, *best)) best = i;
    }
    if (!first) first = best;
    counts[*best] = std::min(left, request.room[*best]);
    left -= counts[*best];
  }
  return PredictCost(request.profile, request.lines, counts).seconds;
}

TEST(PlanGang, BeyondTenSitesItIsNeverWorseThanGreedy) {
  std::mt19937 random(23);
  for (int round = 0; round < 20; ++round) {
    const std::size_t sites = 11 + Below(random, 6);
    const LineMatrix lines = RandomMatrix(sites, random, 1.2);
    PlanRequest request = RandomRequest(sites, 30, lines, random);
    request.size = std::accumulate(request.room.begin(), request.room.end(), 0U) / 3;
    const GangPlan plan = PlanGang(request);
    EXPECT_EQ(plan.planned, *request.size);
    for (const bool by_room : {false, true}) {
      EXPECT_LE(plan.cost.seconds, Greedy(request, by_room) * 1.0101);
    }
  }
}

void ExpectSound(const PlanRequest& request, const GangPlan& plan) {
  std::uint32_t sum = 0;
  for (const PlannedSite& site : plan.sites) {
    sum += site.members;
    EXPECT_GT(site.members, 0U);
  }
  EXPECT_EQ(sum, plan.planned);
  for (std::size_t i = 0; i < request.lines.size(); ++i) {
    const std::uint32_t placed = request.placed.empty() ? 0 : request.placed[i];
    const std::uint32_t members = plan.MembersIn(request.lines.site(i));
    EXPECT_GE(members, placed);
    EXPECT_LE(members, placed + request.room[i]);
  }
  std::uint32_t next = 0;
  for (const RankBlock& block : plan.blocks) {
    EXPECT_EQ(block.first, next);
    next += block.count;
  }
  EXPECT_EQ(next, plan.planned);
}

TEST(PlanGang, EveryPlanIsSound) {
  std::mt19937 random(24);
  for (int round = 0; round < 300; ++round) {
    const std::size_t sites = 1 + Below(random, 13);
    const LineMatrix lines = RandomMatrix(sites, random, 1.2);
    PlanRequest request = RandomRequest(sites, 12, lines, random);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < sites; ++i) {
      request.placed.push_back(Below(random, 4) == 0 ? Below(random, 4) : 0);
      for (std::uint32_t n = 0; n < request.placed[i]; ++n) {
        if (Below(random, 2) == 0) request.ranks.push_back({rank += Below(random, 3), i});
      }
    }
    request.size = Below(random, 40);
    ExpectSound(request, PlanGang(request));
  }
}

// Members come in any order and are bound where the plan has them; then another extender plans the
// gang from what is bound.
TEST(PlanGang, WhoTakesOverMakesTheSamePlan) {
  std::mt19937 random(25);
  for (int round = 0; round < 200; ++round) {
    const std::size_t sites = 2 + Below(random, 6);
    const LineMatrix lines = RandomMatrix(sites, random, 1.3);
    PlanRequest request = RandomRequest(sites, 30, lines, random);
    const GangPlan plan = PlanGang(request);
    if (plan.planned < plan.size) continue;
    std::vector<std::uint32_t> ranks(plan.size);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::ranges::shuffle(ranks, random);
    ranks.resize(Below(random, plan.size + 1));
    request.placed.assign(sites, 0);
    for (const std::uint32_t rank : ranks) {
      const std::string site = *plan.SiteOfRank(rank);
      std::size_t index = 0;
      while (lines.site(index) != site) ++index;
      ++request.placed[index];
      --request.room[index];
      request.ranks.push_back({rank, index});
    }
    if (ranks.size() == plan.size) continue;
    const GangPlan again = PlanGang(request);
    EXPECT_EQ(again.sites, plan.sites);
    EXPECT_EQ(again.blocks, plan.blocks);
  }
}

TEST(PlanGang, MembersElsewhereArePlannedAround) {
  PlanRequest request = Request(8, {10, 10, 10});
  request.placed = {0, 0, 2};
  const GangPlan plan = PlanGang(request);
  EXPECT_EQ(plan.Counts(), (SiteCounts{{"tyo", 8}}));
  request.room[2] = 0;
  // hk is nearer to tyo than sg is.
  EXPECT_EQ(PlanGang(request).Counts(), (SiteCounts{{"hk", 6}, {"tyo", 2}}));
}

}  // namespace
}  // namespace fairlead::extender
