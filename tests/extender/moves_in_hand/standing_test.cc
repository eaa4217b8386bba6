#include "extender/moves_in_hand/standing.h"

#include <gmock/gmock.h>

#include "tests/extender/moves_in_hand/pretend_jobs.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

constexpr MonotonicTime kNow{Seconds(5000)};
const GangKey kGang = PretendJobs::Key("a");

Standing Stands(const MigrationReport& report) {
  return StandingByVerdict(report, kGang, Seconds(35), kNow);
}

TEST(StandingByVerdict, WhatIsNotKnownHoldsAndEndsNothing) {
  EXPECT_EQ(Stands({}).holds, "the first decision");
  const Standing old = Stands(RoundAbout(1, kNow - Seconds(60), {{kGang, MigrationReason::kOff}}));
  EXPECT_EQ(old.unwanted, "");
  EXPECT_THAT(old.holds, HasSubstr("60 s ago"));
  const Standing unseen = Stands(RoundAbout(1, kNow, {}));
  EXPECT_EQ(unseen.unwanted, "");
  EXPECT_THAT(unseen.holds, HasSubstr("members to be seen"));
}

TEST(StandingByVerdict, OnlyADecisionThatStandsGoesOn) {
  for (const MigrationReason reason : kAllMigrationReasons) {
    const Standing standing = Stands(RoundAbout(1, kNow, {{kGang, reason}}));
    const bool stands = reason == MigrationReason::kMove || reason == MigrationReason::kMoving;
    EXPECT_EQ(standing.unwanted, stands ? "" : "because") << MigrationReasonName(reason);
    EXPECT_EQ(standing.holds, "");
  }
  MigrationReport report = RoundAbout(1, kNow, {{kGang, MigrationReason::kMoving}});
  report.gangs[0].verdict.unwanted = "its mode is off now";
  EXPECT_EQ(Stands(report).unwanted, "its mode is off now");
}

TEST(WithRivals, KeepsWhatTheVerdictSaid) {
  const OpenMove mine{kGang, {.number = 1, .began = WallTime(Seconds(9)), .to = {{"tyo", 2}}}};
  const OpenMove other{PretendJobs::Key("b"),
                       {.number = 1, .began = WallTime(Seconds(5)), .to = {{"sg", 2}}}};
  const std::vector<OpenMove> all{mine, other};
  MigrationLimits one;
  one.cluster.concurrent = 1;
  EXPECT_THAT(WithRivals({}, mine, all, one).unwanted, HasSubstr("at most 1 may be"));
  EXPECT_EQ(WithRivals({.unwanted = "off", .holds = {}}, mine, all, one).unwanted, "off");
  EXPECT_EQ(WithRivals({}, mine, all, {}).unwanted, "");
}

}  // namespace
}  // namespace fairlead::extender
