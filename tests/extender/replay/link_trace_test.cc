#include "extender/replay/link_trace.h"

#include <gmock/gmock.h>

#include "tests/extender/replay/recording.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;

const LinkView& ViewAt(TracePlayer& player, Nanoseconds time) {
  return *player.At(Recording::After(time)).Find("hk", "sg");
}

TEST(LinkTrace, KnowsItsStepAndItsEnds) {
  const LinkTrace trace = Recording(Seconds(15), 5).Forget("hk", "sg", 1, 3).Trace();
  EXPECT_EQ(trace.step, Seconds(15));
  EXPECT_EQ(trace.begin, Recording::Begin());
  EXPECT_EQ(trace.end, Recording::After(Seconds(75)));
  EXPECT_TRUE(trace.Knows({"hk", "sg"}));
  EXPECT_TRUE(trace.Knows({"sg", "hk"}));
  EXPECT_FALSE(trace.Knows({"hk", "mars"}));
}

TEST(LinkTrace, AStateStandsSinceItsFirstPointAndFromAGapOnAnew) {
  const LinkTrace trace = Recording(Seconds(10), 9)
                              .Degrade("hk", "sg", 2, 9, Milliseconds(90))
                              .Forget("hk", "sg", 5, 8)
                              .Trace();
  std::vector<std::int64_t> ages;
  for (const LinkPoint& point : trace.links.at({"hk", "sg"})) {
    ages.push_back(std::chrono::duration_cast<Seconds>(*point.state_age).count());
  }
  EXPECT_THAT(ages, ElementsAre(0, 10, 0, 10, 20, 0));
}

TEST(LinkTrace, APointThatTellsHowLongItsStateHasStoodIsBelieved) {
  LinkPoints points;
  for (const int second : {0, 10, 20}) {
    LinkPoint point;
    point.at = Recording::After(Seconds(second));
    point.state = LinkState::kHealthy;
    if (second == 0) point.state_age = Seconds(500);
    points[{"hk", "sg"}].push_back(point);
  }
  const LinkTrace trace = MakeTrace(points);
  EXPECT_EQ(trace.links.at({"hk", "sg"}).back().state_age, Seconds(520));
}

TEST(TracePlayer, HoldsAPointForTwoStepsAndThenKnowsNothing) {
  const LinkTrace trace = Recording(Seconds(10), 12).Forget("hk", "sg", 3, 8).Trace();
  TracePlayer player(trace);
  EXPECT_EQ(ViewAt(player, Seconds(0)).state, LinkState::kHealthy);
  EXPECT_EQ(ViewAt(player, Seconds(29)).rtt_p50, Milliseconds(36));
  EXPECT_EQ(ViewAt(player, Seconds(39)).state_age, Seconds(39));
  EXPECT_EQ(ViewAt(player, Seconds(39)).age, Nanoseconds(0));
  EXPECT_TRUE(player.Watched({"hk", "sg"}));
  const LinkView& gone = ViewAt(player, Seconds(40));
  EXPECT_EQ(gone.state, LinkState::kUnknown);
  EXPECT_FALSE(gone.rtt_p50 || gone.age || gone.state_age);
  EXPECT_FALSE(player.Watched({"hk", "sg"}));
  EXPECT_TRUE(player.Watched({"hk", "tyo"}));
  EXPECT_EQ(ViewAt(player, Seconds(80)).state, LinkState::kHealthy);
}

TEST(TracePlayer, KnowsNothingBeforeTheFirstPoint) {
  const LinkTrace trace = Recording(Seconds(10), 6).Forget("hk", "sg", 0, 2).Trace();
  TracePlayer player(trace);
  EXPECT_EQ(ViewAt(player, Seconds(0)).state, LinkState::kUnknown);
  EXPECT_EQ(ViewAt(player, Seconds(20)).state, LinkState::kHealthy);
}

TEST(ChangesOf, AreThePointsAndTheEndsOfThoseBeforeAGap) {
  const LinkTrace trace = Recording(Seconds(10), 6)
                              .Forget("hk", "sg", 1, 5)
                              .Forget("hk", "tyo", 1, 5)
                              .Forget("sg", "tyo", 1, 4)
                              .Trace();
  // Steps of 50, 50 and 40, 10 in both directions: a point holds longer than any of them.
  ASSERT_EQ(trace.step, Seconds(50));
  EXPECT_THAT(ChangesOf(trace),
              ElementsAre(Recording::After(Seconds(0)), Recording::After(Seconds(40)),
                          Recording::After(Seconds(50))));
  const LinkTrace gap = Recording(Seconds(10), 9).Forget("hk", "sg", 1, 8).Trace();
  const auto changes = ChangesOf(gap);
  EXPECT_EQ(changes.size(), 9U);
  EXPECT_EQ(changes[2], Recording::After(Seconds(20)));
}

}  // namespace
}  // namespace fairlead::extender
