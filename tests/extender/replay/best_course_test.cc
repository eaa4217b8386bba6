#include "extender/replay/best_course.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace fairlead::extender {
namespace {

using Here = PlaceCosts::Here;

WallTime At(std::size_t segment) { return WallTime(Seconds(segment * 10)); }

// Ten seconds a segment; the share lost in each segment at each of two places, which may always be
// left and entered.
PlaceCosts TwoPlaces(const std::vector<std::pair<double, double>>& lost, double move_seconds,
                     const std::vector<std::size_t>& taken) {
  PlaceCosts costs(2, 0, move_seconds);
  for (std::size_t s = 0; s < lost.size(); ++s) {
    costs.Add(At(s), 10, {{lost[s].first, true, true}, {lost[s].second, true, true}}, taken[s]);
  }
  return costs;
}

TEST(BestCourse, LeavesAtOnceWhereTheTroubleLastsLongerThanAMoveCosts) {
  const PlaceCosts costs = TwoPlaces({{0, 0}, {0.5, 0}, {0.5, 0}, {0.5, 0}}, 12, {0, 0, 0, 1});
  EXPECT_DOUBLE_EQ(LostStaying(costs, 0), 15);
  EXPECT_DOUBLE_EQ(LostStaying(costs, 0, 2), 10);
  EXPECT_DOUBLE_EQ(LostAsTaken(costs), 5 + 5 + 12);
  const BestCourse course = FindBestCourse(costs);
  EXPECT_DOUBLE_EQ(course.lost_seconds, 12);
  ASSERT_EQ(course.changes.size(), 1U);
  EXPECT_LE(course.changes[0].segment, 1U);
  EXPECT_EQ(course.changes[0].to, 1U);
}

TEST(BestCourse, StaysWhereTheTroubleIsShort) {
  const BestCourse course =
      FindBestCourse(TwoPlaces({{0, 0}, {0.5, 0}, {0.5, 0}, {0, 0}}, 12, {0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(course.lost_seconds, 10);
  EXPECT_TRUE(course.changes.empty());
}

TEST(BestCourse, GoesBackWhereThatPaysTwice) {
  const PlaceCosts costs = TwoPlaces({{1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}, 12, {0, 0, 0, 0, 0});
  const BestCourse course = FindBestCourse(costs);
  EXPECT_DOUBLE_EQ(course.lost_seconds, 20);  // stays: 10 + 10
  const BestCourse cheap =
      FindBestCourse(TwoPlaces({{1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}, 8, {0, 0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(cheap.lost_seconds, 16);
  ASSERT_EQ(cheap.changes.size(), 2U);
  EXPECT_EQ(cheap.changes[0].to, 1U);
  EXPECT_EQ(cheap.changes[1].segment, 2U);
  EXPECT_EQ(cheap.changes[1].to, 0U);
}

TEST(BestCourse, MovesNowhereWithoutRoomLeaveOrACost) {
  for (const auto& [leave, enter] : {std::pair(false, true), std::pair(true, false)}) {
    PlaceCosts costs(2, 0, 1.0);
    costs.Add(At(0), 10, {{1, leave, true}, {0, true, enter}}, 0);
    EXPECT_DOUBLE_EQ(FindBestCourse(costs).lost_seconds, 10);
  }
  PlaceCosts never(2, 0, std::nullopt);
  never.Add(At(0), 10, {{1, true, true}, {0, true, true}}, 0);
  EXPECT_DOUBLE_EQ(FindBestCourse(never).lost_seconds, 10);
  EXPECT_DOUBLE_EQ(FindBestCourse(PlaceCosts(1, 0, 5.0)).lost_seconds, 0);
}

// Every course there is.
double Exhaustive(const PlaceCosts& costs, std::size_t segment, std::size_t place) {
  if (segment == costs.segments()) return 0;
  double least = costs.Lost(segment, place) + Exhaustive(costs, segment + 1, place);
  for (std::size_t to = 0; to < costs.places(); ++to) {
    const bool can =
        to != place && costs.Of(segment, place).may_leave && costs.Of(segment, to).may_enter;
    if (!can) continue;
    least = std::min(least, *costs.move_seconds() + costs.Lost(segment, to) +
                                Exhaustive(costs, segment + 1, to));
  }
  return least;
}

TEST(BestCourse, IsAsGoodAsTheBestOfAllCourses) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t places = 1 + random() % 3;
    PlaceCosts costs(places, random() % places, 1 + 20 * share(random));
    for (std::size_t s = 0; s < 6; ++s) {
      std::vector<Here> here(places);
      for (Here& one : here) one = {share(random), random() % 3 > 0, random() % 3 > 0};
      costs.Add(At(s), 10, here, costs.first());
    }
    const BestCourse course = FindBestCourse(costs);
    EXPECT_NEAR(course.lost_seconds, Exhaustive(costs, 0, costs.first()), 1e-6);
    EXPECT_LE(course.lost_seconds, LostStaying(costs, costs.first()) + 1e-6);
    // Its changes come to what it says.
    double lost = 0;
    std::size_t place = costs.first();
    auto change = course.changes.begin();
    for (std::size_t s = 0; s < costs.segments(); ++s) {
      if (change != course.changes.end() && change->segment == s) {
        EXPECT_TRUE(costs.Of(s, place).may_leave && costs.Of(s, change->to).may_enter);
        place = change++->to;
        lost += *costs.move_seconds();
      }
      lost += costs.Lost(s, place);
    }
    EXPECT_NEAR(lost, course.lost_seconds, 1e-6);
  }
}

}  // namespace
}  // namespace fairlead::extender
