#include "extender/relocation/destination.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

constexpr WallTime kNow{Seconds(1'796'000'000)};
constexpr MoveTimes kTimes{.exclusion = Seconds(3600), .patience = Seconds(300)};

MoveRecord Record(MoveStep step, Nanoseconds since = {}) {
  return {.number = 2,
          .step = step,
          .outcome = step == MoveStep::kClosed ? MoveOutcome::kDone : MoveOutcome::kNone,
          .began = kNow - Seconds(1000),
          .since = kNow - since,
          .to = {{"tyo", 2}},
          .left = {{"hk", "sg"}},
          .by = step == MoveStep::kIntended || step == MoveStep::kCheckpoint ? "" : "p1"};
}

bool Binds(MoveStep step, Nanoseconds since) {
  return DestinationOf({Record(step, since), {}}, kTimes, kNow).binds;
}

TEST(DestinationOf, BindsFromTheStopUntilPatienceEnds) {
  EXPECT_FALSE(Binds(MoveStep::kIntended, {}));
  EXPECT_FALSE(Binds(MoveStep::kCheckpoint, {}));
  EXPECT_TRUE(Binds(MoveStep::kStop, Seconds(5000)));
  EXPECT_TRUE(Binds(MoveStep::kFollow, Seconds(299)));
  EXPECT_FALSE(Binds(MoveStep::kFollow, Seconds(300)));
  EXPECT_FALSE(Binds(MoveStep::kClosed, {}));
  EXPECT_FALSE(DestinationOf({}, kTimes, kNow).binds);
}

// The Job controller may wait 10 min before it makes the pods of an evicted gang anew.
TEST(DestinationOf, OfAnEvictedGangBindsUntilItsControllerHasHadItsTime) {
  MoveRecord record = Record(MoveStep::kFollow, Seconds(899));
  record.lever = LeverKind::kEvict;
  EXPECT_TRUE(DestinationOf({record, {}}, kTimes, kNow).binds);
  record.since = kNow - Seconds(900);
  EXPECT_FALSE(DestinationOf({record, {}}, kTimes, kNow).binds);
  EXPECT_EQ(BindsFor(LeverKind::kSuspend, kTimes), Seconds(300));
}

TEST(DestinationOf, WhatWasLeftIsExcludedForSoLong) {
  using Lines = std::vector<SitePair>;
  const auto left = [](const MoveHistory& moves) {
    return DestinationOf(moves, kTimes, kNow).left;
  };
  EXPECT_EQ(left({Record(MoveStep::kIntended), {}}), Lines());
  EXPECT_EQ(left({Record(MoveStep::kStop), {}}), (Lines{{"hk", "sg"}}));
  MoveHistory moves{Record(MoveStep::kClosed), {}};
  const auto past = [&](bool disturbed, Nanoseconds ago, Lines lines) {
    moves.past.push_back({.number = 1,
                          .disturbed = disturbed,
                          .began = kNow - ago,
                          .ended = kNow,
                          .from = {},
                          .to = {},
                          .left = std::move(lines)});
  };
  past(true, Seconds(3599), {{"hk", "hk"}, {"hk", "sg"}});
  past(false, Seconds(10), {{"sg", "tyo"}});
  past(true, Seconds(3600), {{"hk", "tyo"}});
  EXPECT_EQ(left(moves), (Lines{{"hk", "hk"}, {"hk", "sg"}}));
}

TEST(IsOfAfter, IsByPlaceAndByThoseThatWereToGo) {
  Destination destination;
  destination.to = {{"hk", 1}, {"tyo", 1}};
  destination.old = {PodPrint("u1")};
  EXPECT_TRUE(IsOfAfter(destination, "u2", "hk"));
  EXPECT_FALSE(IsOfAfter(destination, "u1", "hk"));
  EXPECT_FALSE(IsOfAfter(destination, "u2", "sg"));
}

}  // namespace
}  // namespace fairlead::extender
