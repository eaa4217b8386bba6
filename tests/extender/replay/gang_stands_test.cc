#include "extender/replay/gang_stands.h"

#include <gmock/gmock.h>

#include "tests/extender/replay/recording.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::Pair;

class GangStandsTest : public testing::Test {
 protected:
  GangStandsTest() {
    jobs_.room = {{"hk", 8}, {"sg", 8}, {"tyo", 4}};
    jobs_.gangs = {GangAt("b", {{"hk", 4}, {"sg", 4}}), GangAt("a", {{"hk", 2}, {"tyo", 2}})};
  }
  static WallTime At(int second) { return Recording::After(Seconds(second)); }

  ReplayJobs jobs_;
  MovingCostDefaults costs_;
};

TEST_F(GangStandsTest, RoomIsWhatOthersLeave) {
  GangStands stands(jobs_, costs_);
  stands.Advance(At(0));
  const WholeRoom room = stands.RoomOf(0);
  EXPECT_THAT(room.room, ElementsAre(Pair("hk", 6U), Pair("sg", 8U), Pair("tyo", 2U)));
  EXPECT_THAT(room.occupancy, ElementsAre(Pair(SitePair("hk", "tyo"), 1U)));
}

TEST_F(GangStandsTest, AGangToComeKeepsItsRoomAndOneThatHasEndedLeavesIt) {
  jobs_.gangs[1].start = At(100);
  jobs_.gangs[1].end = At(200);
  GangStands stands(jobs_, costs_);
  stands.Advance(At(0));
  EXPECT_FALSE(stands.Runs(1));
  EXPECT_EQ(stands.View().gangs().size(), 1U);
  EXPECT_THAT(stands.RoomOf(0).room, ElementsAre(Pair("hk", 6U), Pair("sg", 8U), Pair("tyo", 2U)));
  EXPECT_TRUE(stands.RoomOf(0).occupancy.empty());
  stands.Advance(At(100));
  EXPECT_TRUE(stands.Runs(1));
  EXPECT_EQ(stands.View().gangs()[0]->running_since, At(100));
  stands.Advance(At(200));
  EXPECT_FALSE(stands.Runs(1));
  EXPECT_THAT(stands.RoomOf(0).room, ElementsAre(Pair("hk", 8U), Pair("sg", 8U), Pair("tyo", 4U)));
}

TEST_F(GangStandsTest, AMoveStopsAGangForAsLongAsItTakesAndIsOnRecord) {
  GangStands stands(jobs_, costs_);
  stands.Advance(At(0));
  ASSERT_EQ(stands.View().gangs()[1]->key.id, "b");
  EXPECT_EQ(stands.View().gangs()[1]->ready, 8U);
  stands.Move(0, {{"sg", 8}}, {{"hk", "sg"}}, "because");
  EXPECT_EQ(stands.View().gangs()[1]->ready, 0U);
  EXPECT_EQ(stands.View().gangs()[1]->bound.size(), 8U);
  EXPECT_THAT(stands.RoomOf(1).room, ElementsAre(Pair("hk", 8U), Pair("sg", 0U), Pair("tyo", 4U)));
  const Nanoseconds standstill = StandstillOf(jobs_.gangs[0].wishes, costs_);
  EXPECT_EQ(standstill, Seconds(60 + 180 + 60));
  stands.Advance(At(299));
  EXPECT_EQ(stands.View().gangs()[1]->ready, 0U);
  stands.Advance(At(300));
  const auto gang = stands.View().gangs()[1];
  EXPECT_EQ(gang->ready, 8U);
  EXPECT_EQ(gang->running_since, At(300));
  const auto& moves = gang->owner.moves.history();
  ASSERT_TRUE(moves) << moves.error().message;
  const auto past = PastMovesOf(*moves, At(400));
  ASSERT_EQ(past.size(), 1U);
  EXPECT_EQ(past[0].begun_ago, Seconds(400));
  EXPECT_EQ(past[0].ended_ago, Seconds(100));
  EXPECT_TRUE(past[0].disturbed);
  EXPECT_THAT(past[0].left, ElementsAre(SitePair("hk", "sg")));
}

}  // namespace
}  // namespace fairlead::extender
