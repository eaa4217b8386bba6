#include "extender/moves_in_hand/move_news.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using What = MoveNews::What;

MoveRecord Record(MoveStep step, MoveOutcome outcome = MoveOutcome::kNone) {
  return {.number = 3,
          .step = step,
          .outcome = outcome,
          .from = {{"hk", 1}, {"sg", 1}},
          .to = {{"tyo", 2}},
          .why = "because"};
}

MoveNews News(What what, MoveRecord record) {
  return {.what = what,
          .gang = {"job", "ml", "u1", {}},
          .name = "ml/train",
          .owner = {.kind = "Job",
                    .name = "train",
                    .uid = "u1",
                    .controller = true,
                    .api_version = "batch/v1"},
          .record = std::move(record),
          .text = "no rights"};
}

TEST(WhatIsNew, IsEachStepOnceAndWhatIsStuckOnce) {
  const MoveRecord intended = Record(MoveStep::kIntended);
  const MoveRecord stop = Record(MoveStep::kStop);
  MoveRecord stuck = stop;
  stuck.stuck = "1 pod to end";
  const MoveRecord closed = Record(MoveStep::kClosed, MoveOutcome::kDone);
  MoveRecord next = intended;
  next.number = 4;
  EXPECT_EQ(WhatIsNew({}, {}), std::nullopt);
  EXPECT_EQ(WhatIsNew({}, intended), What::kStep);
  EXPECT_EQ(WhatIsNew(intended, intended), std::nullopt);
  EXPECT_EQ(WhatIsNew(intended, stop), What::kStep);
  EXPECT_EQ(WhatIsNew(stop, stuck), What::kStuck);
  EXPECT_EQ(WhatIsNew(stuck, stuck), std::nullopt);
  EXPECT_EQ(WhatIsNew(stuck, closed), What::kEnded);
  EXPECT_EQ(WhatIsNew(closed, closed), std::nullopt);
  EXPECT_EQ(WhatIsNew(closed, next), What::kStep);
}

struct Told {
  MoveNews news;
  std::string reason;
  bool warning = false;
  std::string note;
};

class EventOfNews : public testing::TestWithParam<Told> {};

TEST_P(EventOfNews, IsOnTheOwner) {
  const auto event = EventOf(GetParam().news);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->reason, GetParam().reason);
  EXPECT_EQ(event->type == ClusterEvent::Type::kWarning, GetParam().warning);
  EXPECT_THAT(event->note, HasSubstr(GetParam().note));
  EXPECT_EQ(event->regarding.api_version, "batch/v1");
  EXPECT_EQ(event->regarding.kind, "Job");
  EXPECT_EQ(event->regarding.namespace_name, "ml");
  EXPECT_EQ(event->regarding.name, "train");
  EXPECT_EQ(event->regarding.uid, "u1");
}

Told Ended(MoveOutcome outcome, std::string reason, bool warning, std::string note) {
  return {News(What::kEnded, Record(MoveStep::kClosed, outcome)), std::move(reason), warning,
          std::move(note)};
}

Told Stuck() {
  MoveRecord record = Record(MoveStep::kFollow);
  record.stuck = "1 of 2 members run";
  return {News(What::kStuck, record), "MigrationStuck", true,
          "step follow for too long, and followed further: 1 of 2 members run"};
}

INSTANTIATE_TEST_SUITE_P(
    All, EventOfNews,
    testing::Values(Told{News(What::kStep, Record(MoveStep::kIntended)), "MigrationStarted", false,
                         "move 3, from 1 in hk and 1 in sg to 2 in tyo by suspend: because"},
                    Told{News(What::kStep, Record(MoveStep::kCheckpoint)),
                         "MigrationCheckpointAsked", false, "fairlead.dev/checkpoint-done: 3"},
                    Told{News(What::kStep, Record(MoveStep::kStop)), "MigrationStopping", false,
                         "stopped as a whole"},
                    Told{News(What::kStep, Record(MoveStep::kFollow)), "MigrationRestarted", false,
                         "its place is 2 in tyo"},
                    Stuck(), Ended(MoveOutcome::kDone, "MigrationDone", false, "move 3: because"),
                    Ended(MoveOutcome::kSamePlace, "MigrationSamePlace", true,
                          "where they were before"),
                    Ended(MoveOutcome::kCancelled, "MigrationCancelled", false, "because"),
                    Ended(MoveOutcome::kRefused, "MigrationRefused", true, "was not disturbed"),
                    Ended(MoveOutcome::kUnanswered, "MigrationUnanswered", true, "Volcano"),
                    Ended(MoveOutcome::kFinished, "MigrationJobFinished", false, "because"),
                    Ended(MoveOutcome::kTakenOver, "MigrationTakenOver", true, "whoever did that"),
                    Told{News(What::kNotBegun, {}), "MigrationRefused", true, "no rights"}),
    [](const auto& told) { return told.param.reason + std::to_string(told.index); });

TEST(EventOfNews, NobodyIsToldOfWhatNobodyCanActOn) {
  for (const What what : {What::kDropped, What::kOwnerGone}) {
    EXPECT_FALSE(EventOf(News(what, Record(MoveStep::kStop))));
  }
}

// So that who takes over can say once more what the one before may have said.
TEST(EventOfNews, WhatTheRecordSaysHasANameOfItsOwn) {
  const auto name = [](What what, MoveRecord record) { return EventOf(News(what, record))->name; };
  const std::string print = PodPrint("u1");
  EXPECT_EQ(name(What::kStep, Record(MoveStep::kStop)), "train.move-3-stop." + print);
  EXPECT_EQ(name(What::kTakenOver, Record(MoveStep::kStop)), "train.move-3-stop." + print);
  const MoveRecord closed = Record(MoveStep::kClosed, MoveOutcome::kSamePlace);
  EXPECT_EQ(name(What::kEnded, closed), "train.move-3-same-place." + print);
  EXPECT_EQ(name(What::kEndedBefore, closed), "train.move-3-same-place." + print);
  MoveRecord stuck = Record(MoveStep::kFollow);
  stuck.stuck = "1 of 2 run";
  EXPECT_EQ(name(What::kStuck, stuck), "train.move-3-stuck-follow." + print);
  EXPECT_EQ(name(What::kNotBegun, {}), "");
  MoveNews longest = News(What::kStep, Record(MoveStep::kStop));
  longest.owner.name = std::string(253, 'x');
  EXPECT_LE(EventOf(longest)->name.size(), 253U);
}

TEST(OutcomeWord, IsThatOfTheRecordOrWhyThereIsNone) {
  EXPECT_EQ(OutcomeWord(News(What::kEnded, Record(MoveStep::kClosed, MoveOutcome::kSamePlace))),
            "same_place");
  EXPECT_EQ(OutcomeWord(News(What::kNotBegun, {})), "not_begun");
  EXPECT_EQ(OutcomeWord(News(What::kDropped, {})), "not_begun");
  EXPECT_EQ(OutcomeWord(News(What::kOwnerGone, {})), "owner_gone");
}

}  // namespace
}  // namespace fairlead::extender
