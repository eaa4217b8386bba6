#include "extender/relocation/relocation.h"

#include <gtest/gtest.h>

#include "extender/relocation/lever_choice.h"
#include "extender/relocation/rivalry.h"
#include "tests/extender/relocation/move_world.h"

namespace fairlead::extender {
namespace {

using Kind = RelocationAction::Kind;

MoveIntent Intent(LeverKind lever) {
  return {.number = 1,
          .lever = lever,
          .from = {{"hk", 2}, {"sg", 1}},
          .to = {{"tyo", 3}},
          .left = {{"hk", "sg"}},
          .checkpoint = true,
          .why = "because"};
}

// A move against the model, one call after the other.
class RelocationTest : public testing::Test {
 protected:
  RelocationAction Next() { return move.Next(facts, config, now); }
  // Carries out what is asked of the owner.
  ApiCall Write() {
    const RelocationAction action = Next();
    EXPECT_EQ(action.kind, Kind::kCall) << action.text;
    EXPECT_EQ(action.call.resource_version, facts.owner.resource_version);
    facts.owner.record = action.call.record;
    facts.owner.resource_version += "1";
    move.OnOutcome({}, now);
    return action.call;
  }
  void Pass(Nanoseconds span) {
    now.steady += span;
    now.wall += span;
  }
  MoveRecord Record() { return ReadMoves(facts.owner.record).value().current; }

  RelocationConfig config;
  ModelWorld world = FirstWorld({LeverKind::kSuspend}, {});
  MoveFacts facts = FactsOf(world, 0);
  Moment now = MomentOf(world);
  Relocation move{"me", Intent(LeverKind::kSuspend)};
};

TEST_F(RelocationTest, RecordsFirstThenAsksEachMemberForACheckpointOnce) {
  EXPECT_EQ(Write().kind, CallKind::kWriteRecord);
  EXPECT_EQ(Record().step, MoveStep::kIntended);
  EXPECT_EQ(Write().kind, CallKind::kWriteRecord);
  EXPECT_EQ(Record().step, MoveStep::kCheckpoint);
  for (PodState& pod : facts.pods) {
    const RelocationAction ask = Next();
    EXPECT_EQ(ask.call.kind, CallKind::kAskCheckpoint);
    EXPECT_EQ(ask.call.name, pod.name);
    EXPECT_EQ(ask.call.text, "1");
    move.OnOutcome({}, now);
    pod.asked_checkpoint = "1";
  }
  EXPECT_EQ(Next().kind, Kind::kWait);
  EXPECT_EQ(Next().text, "a checkpoint, for another 10 min");
  facts.pods[1].done_checkpoint = "1";
  const ApiCall stop = Write();
  EXPECT_EQ(stop.kind, CallKind::kSetSuspend);
  EXPECT_TRUE(stop.value);
  EXPECT_EQ(Record().by, "me");
}

TEST_F(RelocationTest, GoesOnWithoutACheckpointThatDoesNotCome) {
  Write();
  Write();
  for (PodState& pod : facts.pods) pod.asked_checkpoint = "1";
  Pass(Seconds(599));
  EXPECT_EQ(Next().kind, Kind::kWait);
  Pass(Seconds(1));
  EXPECT_EQ(Next().call.kind, CallKind::kSetSuspend);
}

TEST_F(RelocationTest, IsGivenUpWhereItIsNotWantedAnyMoreButNotOnceItHasBegun) {
  Write();
  facts.unwanted = "the line is well again";
  Write();
  EXPECT_EQ(Record().outcome, MoveOutcome::kCancelled);
  EXPECT_FALSE(Record().disturbed());
  EXPECT_EQ(Record().why, "the line is well again");
  EXPECT_EQ(Next().kind, Kind::kClosed);
}

TEST_F(RelocationTest, SaysWhatItWaitsForAndGivesUpInTime) {
  Write();
  facts.pods[0].ready = false;
  EXPECT_EQ(Next().text, "2 of 3 members are ready");
  Pass(Seconds(300));
  Write();
  EXPECT_EQ(Record().outcome, MoveOutcome::kRefused);
  EXPECT_EQ(Record().why, "2 of 3 members are ready");
}

TEST_F(RelocationTest, NamesThePlaceWhereItIsStuckAndGoesOnToFollow) {
  config.checkpoint_timeout = Nanoseconds(0);
  Write();
  Write();
  facts.owner.suspended = true;
  facts.pods.clear();
  EXPECT_FALSE(Write().value);
  facts.owner.suspended = false;
  EXPECT_EQ(Record().step, MoveStep::kFollow);
  facts.pods = {{.name = "pod-0", .uid = "n0", .site = "tyo", .ready = true},
                {.name = "pod-1", .uid = "n1", .site = "", .ready = false}};
  EXPECT_EQ(Next().text, "1 of 3 members run; pod-1 is without a node");
  Pass(Seconds(1800));
  Write();
  EXPECT_EQ(Record().stuck, "1 of 3 members run; pod-1 is without a node");
  EXPECT_EQ(Next().kind, Kind::kWait);
  facts.pods = {{.name = "pod-0", .uid = "n0", .site = "tyo", .ready = true},
                {.name = "pod-1", .uid = "n1", .site = "tyo", .ready = true},
                {.name = "pod-2", .uid = "n2", .site = "tyo", .ready = true}};
  Write();
  EXPECT_EQ(Record().outcome, MoveOutcome::kDone);
  EXPECT_EQ(Record().why, "all members run: 3 in tyo");
  EXPECT_EQ(Record().stuck, "");
}

TEST_F(RelocationTest, AnIntentWhoseTriggerWasServedIsDropped) {
  Write();
  facts.unwanted = "x";
  Write();
  Relocation late("late", Intent(LeverKind::kSuspend));
  const RelocationAction action = late.Next(facts, config, now);
  EXPECT_EQ(action.kind, Kind::kClosed);
  EXPECT_EQ(action.text, "move 1 was carried through already");
}

TEST_F(RelocationTest, LeavesAloneWhatItCannotRead) {
  facts.owner.record = "mine";
  const RelocationAction action = Next();
  EXPECT_EQ(action.kind, Kind::kClosed);
  EXPECT_TRUE(action.text.starts_with("its record cannot be read: line 1: no key")) << action.text;
}

TEST_F(RelocationTest, WaitsLongerAfterEachFailureAndAsLongAsTheServerAsks) {
  std::vector<std::int64_t> waits;
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(Next().kind, Kind::kCall);
    move.OnOutcome({.result = CallResult::kServerError, .message = "500"}, now);
    EXPECT_EQ(Next().text, "write_record: 500");
    const Nanoseconds wait = Next().until - now.steady;
    waits.push_back(wait / Seconds(1));
    Pass(wait);
  }
  EXPECT_EQ(waits, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 60, 60}));
  EXPECT_EQ(Next().kind, Kind::kCall);
  move.OnOutcome({.result = CallResult::kThrottled, .retry_after = Seconds(90)}, now);
  EXPECT_EQ(Next().until - now.steady, Seconds(90));
}

TEST_F(RelocationTest, DoesNotActOnFactsOlderThanItsOwnWrite) {
  const MoveFacts before = facts;
  Write();
  EXPECT_EQ(move.Next(before, config, now).kind, Kind::kWait);
}

TEST(EvictionLever, NamesTheBudgetThatDoesNotCoverAllMembers) {
  MoveFacts facts = FactsOf(FirstWorld({LeverKind::kEvict}, {}), 0);
  EXPECT_EQ(EvictionLever().Refusal(facts), "");
  facts.budgets[0].allowed = 2;
  EXPECT_EQ(EvictionLever().Refusal(facts),
            "PodDisruptionBudget budget allows 2 disruptions and covers 3 of its members; it must "
            "allow them all at once");
  facts.budgets[0].allowed = 3;
  facts.budgets.push_back({.name = "second", .allowed = 3, .covers = {facts.pods[0].uid}});
  EXPECT_EQ(EvictionLever().Refusal(facts),
            "pod pod-0 has two PodDisruptionBudgets, budget and second; it can never be evicted");
}

TEST(VolcanoLever, NeedsRetriesToSpare) {
  MoveFacts facts = FactsOf(FirstWorld({LeverKind::kVolcano}, {}), 0);
  facts.owner.retries_left = 2;
  EXPECT_EQ(VolcanoLever().Refusal(facts), "");
  facts.owner.retries_left = 1;
  EXPECT_EQ(VolcanoLever().Refusal(facts),
            "it has 1 retry left, and a restart takes one; raise its maxRetry");
}

ControllingOwner Owner(std::string group, std::string kind) {
  return {.api_group = std::move(group), .kind = std::move(kind), .name = "train", .uid = "u"};
}

TEST(LeverChoice, IsTheOwnersAndNeverOfOneThatIsNotKnown) {
  EXPECT_EQ(ChooseLever(Owner("batch", "Job")).value(), LeverKind::kSuspend);
  EXPECT_EQ(ChooseLever(Owner("jobset.x-k8s.io", "JobSet")).value(), LeverKind::kSuspend);
  EXPECT_EQ(ChooseLever(Owner("trainer.kubeflow.org", "TrainJob")).value(), LeverKind::kSuspend);
  EXPECT_EQ(ChooseLever(Owner("batch.volcano.sh", "Job")).value(), LeverKind::kVolcano);
  EXPECT_EQ(ChooseLever(Owner("apps", "StatefulSet")).value(), LeverKind::kEvict);
  ControllingOwner owner = Owner("batch", "Job");
  owner.wants_eviction = true;
  EXPECT_EQ(ChooseLever(owner).value(), LeverKind::kEvict);
  owner.has_workload = true;
  EXPECT_EQ(ChooseLever(owner).value(), LeverKind::kKueue);
  owner.gangs = 2;
  EXPECT_EQ(ChooseLever(owner).error().message,
            "Job \"train\" controls 2 gangs, which cannot be moved one by one");
  owner.strangers = 1;
  EXPECT_EQ(ChooseLever(owner).error().message,
            "1 pod claims to be of it by label, but something else controls them");
  owner.uid.clear();
  EXPECT_EQ(ChooseLever(owner).error().message,
            "nothing controls its pods, so nothing would make them anew");
  EXPECT_EQ(ChooseLever(Owner("example.com", "Job")).error().message,
            "Job \"train\" of example.com is of a kind that is not known to start its pods anew");
  EXPECT_EQ(ChooseLever(Owner("batch", "CronJob")).error().code, ErrorCode::kUnsupported);
}

OpenMove Open(std::string id, MoveStep step, std::int64_t began, std::string to) {
  OpenMove move{{"job", "ml", std::move(id), {}}, {}};
  move.record.number = 1;
  move.record.step = step;
  move.record.began = WallTime(Seconds(began));
  move.record.from = {{"hk", 3}};
  move.record.to = {{std::move(to), 3}};
  return move;
}

TEST(Rivalry, TheOneThatHasBegunComesFirstThenTheEarlier) {
  const std::vector<OpenMove> all{Open("a", MoveStep::kIntended, 10, "tyo"),
                                  Open("b", MoveStep::kStop, 11, "us"),
                                  Open("c", MoveStep::kIntended, 12, "tyo")};
  EXPECT_EQ(Compare(all[0], all, 1).gives_way,
            "1 move began before it, at most 1 may be under way");
  EXPECT_EQ(Compare(all[0], all, 2).gives_way, "");
  EXPECT_EQ(Compare(all[0], all, 2).holds, "1 later move to give way");
  EXPECT_EQ(Compare(all[0], all, 3).holds,
            "gang job ml/c, which wants to go to the same site, to give way");
  EXPECT_EQ(Compare(all[2], all, 3).gives_way,
            "gang job ml/a began to go to the same site before it");
  EXPECT_EQ(Compare(all[2], all, 3, 2).gives_way, "") << "two may go to one site";
  EXPECT_EQ(Compare(all[0], all, 4, 2).holds, "");
  const std::vector<OpenMove> alone{all[0]};
  EXPECT_EQ(Compare(all[0], alone, 1).holds, "");
}

}  // namespace
}  // namespace fairlead::extender
