#include "extender/migration_round/moving_cost_of.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

const WallTime kNow{Seconds(1'795'000'000)};

TEST(MovingCostOf, TakesDefaultsWhereNothingIsTold) {
  const MovingCostDefaults defaults;
  const MovingCost cost = MovingCostOf({}, defaults, kNow);
  EXPECT_EQ(cost.checkpoint_age.time, defaults.checkpoint_age);
  EXPECT_EQ(cost.restart.source, CostSource::kDefault);
  EXPECT_EQ(TotalCost(cost), Seconds(900 + 60 + 180 + 60));
  EXPECT_EQ(RemainingOf({}, kNow), std::nullopt);
}

TEST(MovingCostOf, TakesAnnotationsBeforeDefaults) {
  MoveWishes wishes;
  wishes.last_checkpoint = kNow - Seconds(100);
  wishes.write_time = Seconds(1);
  wishes.restart_time = Seconds(2);
  wishes.requeue_time = Seconds(3);
  wishes.expected_end = kNow + Seconds(500);
  const MovingCost cost = MovingCostOf(wishes, {}, kNow);
  EXPECT_EQ(cost.checkpoint_age.time, Seconds(100));
  EXPECT_EQ(cost.requeue.source, CostSource::kAnnotation);
  EXPECT_EQ(TotalCost(cost), Seconds(106));
  EXPECT_EQ(RemainingOf(wishes, kNow), Seconds(500));
  EXPECT_EQ(RemainingOf(wishes, kNow + Seconds(501)), Nanoseconds(0));
}

TEST(MovingCostOf, LosesHalfAnIntervalOnAverageAndNothingWhereACheckpointIsWrittenOnRequest) {
  MoveWishes wishes;
  wishes.interval = Seconds(1000);
  EXPECT_EQ(MovingCostOf(wishes, {}, kNow).checkpoint_age.time, Seconds(500));
  wishes.writes_on_request = true;
  EXPECT_EQ(MovingCostOf(wishes, {}, kNow).checkpoint_age.time, Nanoseconds(0));
}

TEST(MovingCostOf, ACheckpointOfTheFutureMakesNoSenseButForClocksThatDiffer) {
  MoveWishes wishes;
  wishes.last_checkpoint = kNow + Seconds(59);
  EXPECT_EQ(MovingCostOf(wishes, {}, kNow).checkpoint_age.time, Nanoseconds(0));
  wishes.last_checkpoint = kNow + Seconds(61);
  EXPECT_EQ(TotalCost(MovingCostOf(wishes, {}, kNow)), std::nullopt);
}

}  // namespace
}  // namespace fairlead::extender
