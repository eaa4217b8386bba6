#include "extender/migration_round/verdict_book.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

MonotonicTime At(int seconds) { return MonotonicTime(Seconds(10'000 + seconds)); }

MigrationVerdict Verdict(MigrationReason reason, bool bad_line = true) {
  MigrationVerdict verdict;
  verdict.gang = {"job", "ml", "uid-a", {}};
  verdict.name = "ml/a";
  verdict.reason = reason;
  verdict.sentence = "because";
  if (bad_line) verdict.leaves = {{"hk", "sg"}};
  return verdict;
}

GangOwner Owner() {
  return {.object = {.kind = "Job",
                     .name = "a",
                     .uid = "uid-a",
                     .controller = true,
                     .api_version = "batch/v1"},
          .moves = {},
          .followed = true};
}

TEST(VerdictBook, TellsAChangeOnce) {
  VerdictBook book;
  EXPECT_THAT(book.Note({Verdict(MigrationReason::kLinesWell)}, At(0)).told, IsEmpty());
  const VerdictNews begun = book.Note({Verdict(MigrationReason::kSaving)}, At(5));
  ASSERT_THAT(begun.told, SizeIs(1));
  EXPECT_EQ(begun.told[0].before, MigrationReason::kLinesWell);
  for (int second = 10; second < 3600; second += 5) {
    const VerdictNews same = book.Note({Verdict(MigrationReason::kSaving)}, At(second));
    EXPECT_THAT(same.changes, IsEmpty());
    EXPECT_EQ(same.since[0], At(5));
  }
}

TEST(VerdictBook, WhatComesAndGoesIsToldAgainAfterAWhileAlone) {
  VerdictBook book;
  std::size_t told = 0;
  for (int second = 0; second < 1200; second += 5) {
    const auto reason = second % 10 == 0 ? MigrationReason::kSaving : MigrationReason::kStale;
    told += book.Note({Verdict(reason)}, At(second)).told.size();
  }
  EXPECT_EQ(told, 4U);
}

TEST(VerdictBook, FirstSightIsToldWhereItMatters) {
  EXPECT_THAT(VerdictBook().Note({Verdict(MigrationReason::kOff)}, At(0)).told, IsEmpty());
  EXPECT_THAT(VerdictBook().Note({Verdict(MigrationReason::kDryRun)}, At(0)).told, SizeIs(1));
}

TEST(VerdictBook, ForgetsGangsThatAreGone) {
  VerdictBook book;
  book.Note({Verdict(MigrationReason::kDryRun)}, At(0));
  book.Note({}, At(5));
  EXPECT_THAT(book.Note({Verdict(MigrationReason::kDryRun)}, At(10)).told, SizeIs(1));
}

TEST(EventOf, TellsTheOwnerWhatWouldBeDone) {
  MigrationVerdict verdict = Verdict(MigrationReason::kDryRun);
  verdict.to = Place{.members = {{"tyo", 2}}, .step_seconds = 1, .lines = {}};
  const auto event = EventOf(verdict, Owner());
  ASSERT_TRUE(event);
  EXPECT_EQ(event->regarding.api_version, "batch/v1");
  EXPECT_EQ(event->regarding.namespace_name, "ml");
  EXPECT_EQ(event->regarding.name, "a");
  EXPECT_EQ(event->reason, "MigrationAdvised");
  EXPECT_EQ(event->type, ClusterEvent::Type::kNormal);
  EXPECT_EQ(event->note, "would move to 2 in tyo: because");
}

TEST(EventOf, WarnsOfWhatOnlyAPersonCanMend) {
  EXPECT_FALSE(EventOf(Verdict(MigrationReason::kMove), Owner())) << "whoever moves it tells";
  const auto blocked = EventOf(Verdict(MigrationReason::kNoBetterPlace), Owner());
  ASSERT_TRUE(blocked);
  EXPECT_EQ(blocked->reason, "MigrationBlocked");
  EXPECT_EQ(blocked->note, "stays on a bad line (no_better_place): because");
  EXPECT_FALSE(EventOf(Verdict(MigrationReason::kNotMovable, false), Owner()));
  EXPECT_FALSE(EventOf(Verdict(MigrationReason::kSaving), Owner()));
  EXPECT_FALSE(EventOf(Verdict(MigrationReason::kDryRun), GangOwner{}));
}

}  // namespace
}  // namespace fairlead::extender
