#include "extender/moves_in_hand/moves_in_hand.h"

#include <gmock/gmock.h>

#include <span>

#include "tests/extender/moves_in_hand/pretend_jobs.h"

namespace fairlead::extender {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

class MovesInHandTest : public testing::Test {
 protected:
  MoveSurroundings Around() {
    return {std::make_shared<const MigrationReport>(report_), jobs_->View(), config_, now_};
  }
  void Decide(std::vector<std::pair<GangKey, MigrationReason>> gangs) {
    decided_ = std::move(gangs);
    report_ = RoundAbout(++round_, now_.steady, decided_);
  }
  void Pass(Nanoseconds span) {
    now_.steady += span;
    now_.wall += span;
  }
  // The next task, with those answered that look for owners.
  std::optional<MoveTask> Task(MovesInHand& moves) {
    moves.Hear(Around());
    for (;;) {
      auto task = moves.Next(Around());
      if (task && task->kind == MoveTask::Kind::kFindOpen) {
        moves.OnLeftOpen(left_open_, Around());
      } else if (task && task->kind == MoveTask::Kind::kFindOwner) {
        FoundOwner found = found_;
        if (found.owner.uid.empty()) found.owner = task->owner;
        moves.OnOwner(task->gang, std::move(found), now_);
      } else {
        return task;
      }
    }
  }
  // One request, answered; its kind, "read", or nothing where none is due.
  std::string Request(MovesInHand& moves) {
    const auto task = Task(moves);
    if (!task) return "";
    if (task->kind == MoveTask::Kind::kRead) {
      moves.OnFacts(task->gang, jobs_->Facts(task->gang), now_);
      return "read";
    }
    moves.OnOutcome(task->gang, jobs_->Do(task->gang, task->call), now_);
    return std::string(CallKindName(task->call.kind));
  }
  // Seconds of requests, controllers, watch and rounds that decide as before.
  void Go(MovesInHand& moves, int seconds) {
    for (int second = 0; second < seconds; ++second) {
      while (!Request(moves).empty()) {
        for (const auto& [name, job] : jobs_->jobs) jobs_->Show(name);
      }
      jobs_->Control();
      Pass(Seconds(1));
      report_ = RoundAbout(++round_, now_.steady, decided_);
    }
  }
  static std::vector<std::string> Names(const std::vector<MoveNews>& news) {
    std::vector<std::string> names;
    for (const MoveNews& one : news) names.push_back(one.name + " " + std::string(NewsName(one)));
    return names;
  }

  inline static const std::vector<std::string> kNames{"a", "b"};
  std::unique_ptr<PretendJobs> jobs_ = std::make_unique<PretendJobs>(kNames);
  std::vector<LeftOpen> left_open_;
  FoundOwner found_;  // without a uid: the one that the watch takes for it
  const GangKey a_ = PretendJobs::Key("a");
  const GangKey b_ = PretendJobs::Key("b");
  MigrationConfig config_;
  MigrationReport report_;
  std::vector<std::pair<GangKey, MigrationReason>> decided_;
  std::uint64_t round_ = 0;
  Moment now_{.steady = MonotonicTime(Seconds(1000)), .wall = WallTime(Seconds(1'796'000'000))};
  MovesInHand moves_{"p1"};
};

TEST_F(MovesInHandTest, NothingIsDueWhereNothingIsDecided) {
  EXPECT_FALSE(moves_.NextDue()) << "as long as another replica leads";
  moves_.Hear(Around());
  EXPECT_EQ(moves_.NextDue(), now_.steady) << "what is left open is asked for";
  EXPECT_EQ(Request(moves_), "");
  EXPECT_FALSE(moves_.NextDue());
  Decide({{a_, MigrationReason::kDryRun}, {b_, MigrationReason::kMoving}});
  EXPECT_EQ(Request(moves_), "");
  EXPECT_TRUE(moves_.empty());
  moves_.Clear();
  EXPECT_FALSE(moves_.NextDue());
}

TEST_F(MovesInHandTest, ADecisionIsCarriedOutOnceAndToldStepByStep) {
  Decide({{a_, MigrationReason::kMove}});
  Go(moves_, 20);
  EXPECT_TRUE(moves_.empty());
  EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kDone);
  EXPECT_EQ(jobs_->Record("a").to, (SiteCounts{{"tyo", 2}}));
  EXPECT_EQ(jobs_->Record("a").left, (std::vector<SitePair>{{"hk", "sg"}}));
  EXPECT_THAT(jobs_->jobs["a"].done, SizeIs(4)) << "record, suspend, resume, closed";
  EXPECT_THAT(jobs_->jobs["b"].done, IsEmpty());
  const std::vector<std::string> news = Names(moves_.TakeNews());
  ASSERT_GT(news.size(), 4U);
  EXPECT_THAT(std::span(news).first(4),
              ElementsAre("ml/a intended", "ml/a stop", "ml/a follow", "ml/a done"));
  EXPECT_THAT(std::span(news).subspan(4), Each("ml/a dropped")) << "as it was served already";
  const MovesReport report = moves_.Report();
  EXPECT_EQ(report.outcomes.at({LeverKind::kSuspend, "done"}), 1U);
  EXPECT_EQ(report.calls.at({"set_suspend", CallResult::kDone}), 2U);
}

TEST_F(MovesInHandTest, TheEndOfWhatWasDisturbedIsToldBeforeItIsRecorded) {
  Decide({{a_, MigrationReason::kMove}});
  std::vector<std::string> told;
  for (int second = 0; second < 20; ++second) {
    while (const auto task = Task(moves_)) {
      if (task->kind == MoveTask::Kind::kRead) {
        moves_.OnFacts(a_, jobs_->Facts(a_), now_);
        continue;
      }
      if (task->tell) {
        told.push_back(std::string(NewsName(*task->tell)));
        EXPECT_EQ(jobs_->Record("a").step, MoveStep::kFollow);
      }
      moves_.OnOutcome(a_, jobs_->Do(a_, task->call), now_);
      jobs_->Show("a");
    }
    jobs_->Control();
    Pass(Seconds(1));
    report_ = RoundAbout(++round_, now_.steady, {});
    if (second == 0) Decide({{a_, MigrationReason::kMoving}});
  }
  EXPECT_EQ(jobs_->Record("a").step, MoveStep::kClosed);
  EXPECT_THAT(told, ElementsAre("done"));
}

TEST_F(MovesInHandTest, WhoBeginsToLeadTellsTheLastEndsOnceMore) {
  Decide({{a_, MigrationReason::kMove}});
  Go(moves_, 20);
  moves_.TakeNews();
  MovesInHand next("p2");
  Decide({});
  Task(next);
  EXPECT_THAT(Names(next.TakeNews()), ElementsAre("ml/a ended_before"));
  jobs_->Show("b");
  Task(next);
  EXPECT_THAT(next.TakeNews(), IsEmpty());
  moves_.Clear();
  Task(moves_);
  EXPECT_THAT(moves_.TakeNews(), IsEmpty()) << "it was told by this one";
  Pass(Seconds(3600));
  MovesInHand late("p3");
  Task(late);
  EXPECT_THAT(late.TakeNews(), IsEmpty());
}

TEST_F(MovesInHandTest, TheSameDecisionTwiceIsOneMove) {
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "read");
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "write_record");
  Decide({{a_, MigrationReason::kMove}});
  Request(moves_);
  EXPECT_THAT(moves_.Report().open, SizeIs(1));
}

TEST_F(MovesInHandTest, NothingIsDisturbedUntilTheWatchShowsTheRecord) {
  Decide({{a_, MigrationReason::kMove}});
  while (!Request(moves_).empty()) {
  }
  EXPECT_THAT(jobs_->jobs["a"].done, SizeIs(1));
  EXPECT_EQ(moves_.Report().open[0].waits, "the watch to show its record");
  jobs_->Show("a");
  Pass(Seconds(1));
  EXPECT_EQ(Request(moves_), "read");
  EXPECT_EQ(Request(moves_), "set_suspend");
}

TEST_F(MovesInHandTest, NothingBeginsByAnOldDecision) {
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "read");
  EXPECT_EQ(Request(moves_), "write_record");
  jobs_->Show("a");
  Pass(Seconds(36));
  while (!Request(moves_).empty()) {
  }
  EXPECT_THAT(jobs_->jobs["a"].done, SizeIs(1));
  EXPECT_THAT(moves_.Report().open[0].waits, HasSubstr("a decision; the newest was made 36 s ago"));
}

TEST_F(MovesInHandTest, WhatIsNotWantedAnyMoreIsCancelledBeforeTheStopAndFinishedAfterIt) {
  Decide({{a_, MigrationReason::kMove}, {b_, MigrationReason::kMove}});
  config_.limits.cluster.concurrent = 2;
  Request(moves_);
  Decide({{a_, MigrationReason::kOff}, {b_, MigrationReason::kOff}});
  Go(moves_, 20);
  EXPECT_THAT(jobs_->jobs["a"].done, IsEmpty()) << "not even recorded";
  EXPECT_THAT(Names(moves_.TakeNews()), ElementsAre("ml/a dropped", "ml/b dropped"));

  Decide({{a_, MigrationReason::kMove}});
  while (!Request(moves_).empty()) {
  }
  ASSERT_EQ(jobs_->Record("a").step, MoveStep::kIntended);
  Decide({{a_, MigrationReason::kDryRun}});
  Go(moves_, 20);
  EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kCancelled);
  EXPECT_FALSE(jobs_->jobs["a"].suspended);

  Decide({{b_, MigrationReason::kMove}});
  while (!jobs_->jobs["b"].suspended) {
    Request(moves_);
    jobs_->Show("b");
  }
  Decide({{b_, MigrationReason::kOff}});
  Go(moves_, 20);
  EXPECT_EQ(jobs_->Record("b").outcome, MoveOutcome::kDone);
}

class MovesInHandCrash : public MovesInHandTest, public testing::WithParamInterface<int> {};

// After any number of requests the process is gone, with or without having heard the last answer.
TEST_P(MovesInHandCrash, AnotherProcessFinishesIt) {
  for (const bool clear : {false, true}) {
    SCOPED_TRACE(clear);
    jobs_ = std::make_unique<PretendJobs>(kNames);
    Decide({{a_, MigrationReason::kMove}});
    MovesInHand first("p1");
    MovesInHand second("p2");
    int requests = 0;
    for (int second_of = 0; second_of < 60 && requests < GetParam(); ++second_of) {
      while (requests < GetParam() && !Request(first).empty()) {
        ++requests;
        jobs_->Show("a");
      }
      jobs_->Control();
      Pass(Seconds(1));
      report_ = RoundAbout(++round_, now_.steady, decided_);
    }
    if (clear) first.Clear();
    const auto reason =
        jobs_->jobs["a"].record.empty() ? MigrationReason::kMove : MigrationReason::kMoving;
    Decide({{a_, reason}});
    Go(clear ? first : second, 30);
    EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kDone);
    EXPECT_EQ(jobs_->Record("a").number, 1U);
    EXPECT_THAT(jobs_->jobs["a"].done, SizeIs(4)) << "record, suspend, resume, closed, each once";
  }
}
INSTANTIATE_TEST_SUITE_P(Requests, MovesInHandCrash, testing::Range(0, 12));

class MovesInHandLostAnswer : public MovesInHandTest,
                              public testing::WithParamInterface<CallResult> {};

TEST_P(MovesInHandLostAnswer, CostsTimeAlone) {
  for (int failing = 0; failing < 4; ++failing) {
    for (const bool carried_out : {false, true}) {
      SCOPED_TRACE(failing);
      SCOPED_TRACE(carried_out);
      jobs_ = std::make_unique<PretendJobs>(kNames);
      MovesInHand moves("p1");
      Decide({{a_, MigrationReason::kMove}});
      int calls = 0;
      for (int second = 0; second < 60; ++second) {
        while (const auto task = Task(moves)) {
          if (task->kind == MoveTask::Kind::kRead) {
            moves.OnFacts(task->gang, jobs_->Facts(task->gang), now_);
          } else if (calls++ == failing) {
            if (carried_out) jobs_->Do(task->gang, task->call);
            moves.OnOutcome(task->gang, {.result = GetParam(), .message = "as told"}, now_);
          } else {
            moves.OnOutcome(task->gang, jobs_->Do(task->gang, task->call), now_);
          }
          jobs_->Show("a");
        }
        jobs_->Control();
        Pass(Seconds(1));
        const bool recorded = !jobs_->jobs["a"].record.empty();
        Decide({{a_, recorded ? MigrationReason::kMoving : MigrationReason::kMove}});
      }
      EXPECT_TRUE(moves.empty());
      EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kDone);
      EXPECT_THAT(jobs_->jobs["a"].done, SizeIs(4));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Results, MovesInHandLostAnswer,
                         testing::Values(CallResult::kLost, CallResult::kServerError,
                                         CallResult::kThrottled, CallResult::kConflict),
                         [](const auto& result) {
                           return std::string(CallResultName(result.param)) == "server_error"
                                      ? "ServerError"
                                      : std::string(CallResultName(result.param));
                         });

TEST_F(MovesInHandTest, OfTwoThatGoToOneSiteTheLaterGivesWay) {
  config_.limits.cluster.concurrent = 2;
  Decide({{a_, MigrationReason::kMove}});
  while (jobs_->jobs["a"].record.empty()) Request(moves_);
  Pass(Seconds(2));
  Decide({{a_, MigrationReason::kMoving}, {b_, MigrationReason::kMove}});
  Go(moves_, 30);
  EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kDone);
  EXPECT_EQ(jobs_->Record("b").outcome, MoveOutcome::kCancelled);
  EXPECT_THAT(jobs_->Record("b").why, HasSubstr("began to go to the same site before it"));
}

TEST_F(MovesInHandTest, MovesTakeTurns) {
  config_.limits.cluster.concurrent = 2;
  Decide({{a_, MigrationReason::kMove}, {b_, MigrationReason::kMove}});
  const auto first = Task(moves_);
  ASSERT_TRUE(first);
  Pass(Seconds(5));  // so long the answer took
  moves_.OnFacts(first->gang, jobs_->Facts(first->gang), now_);
  const auto second = Task(moves_);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kind, MoveTask::Kind::kCall) << "what was read is used before it is old";
  Pass(Seconds(5));
  moves_.OnOutcome(second->gang, {.result = CallResult::kLost}, now_);
  const auto third = Task(moves_);
  ASSERT_TRUE(third);
  EXPECT_NE(third->gang, first->gang);
}

TEST_F(MovesInHandTest, WhatCannotBeRecordedIsDeclinedForAWhileAndTold) {
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "read");
  const auto task = Task(moves_);
  moves_.OnOutcome(task->gang, {.result = CallResult::kForbidden, .message = "no patch on jobs"},
                   now_);
  const std::vector<MoveNews> news = moves_.TakeNews();
  ASSERT_THAT(Names(news), ElementsAre("ml/a not_begun"));
  const auto event = EventOf(news[0]);
  EXPECT_EQ(event->reason, "MigrationRefused");
  EXPECT_THAT(event->note, HasSubstr("write_record: no patch on jobs"));
  EXPECT_EQ(moves_.Report().declined.at(a_).why, "write_record: no patch on jobs");
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "");
  Pass(Seconds(301));
  Decide({{a_, MigrationReason::kMove}});
  EXPECT_EQ(Request(moves_), "read");
  EXPECT_THAT(moves_.Report().declined, IsEmpty());
}

TEST_F(MovesInHandTest, WhatIsNeverAnsweredIsGivenUpBeforeItIsRecorded) {
  Decide({{a_, MigrationReason::kMove}});
  for (int second = 0; second < 310; ++second) {
    while (const auto task = Task(moves_)) {
      moves_.OnFacts(task->gang, Fail(ErrorCode::kUnavailable, "no answer"), now_);
    }
    Pass(Seconds(1));
    Decide({{a_, MigrationReason::kMoving}});
  }
  EXPECT_TRUE(moves_.empty());
  EXPECT_EQ(moves_.Report().declined.at(a_).why, "its state cannot be read: no answer");
  EXPECT_LE(moves_.Report().calls.at({"read", CallResult::kLost}), 12U);
}

TEST_F(MovesInHandTest, AnOwnerThatIsGoneEndsIt) {
  Decide({{a_, MigrationReason::kMove}});
  while (!jobs_->jobs["a"].suspended) {
    Request(moves_);
    jobs_->Show("a");
  }
  jobs_->jobs["a"].exists = false;
  Go(moves_, 10);
  EXPECT_TRUE(moves_.empty());
  EXPECT_THAT(Names(moves_.TakeNews()), Contains("ml/a owner_gone"));
  EXPECT_FALSE(EventOf({.what = MoveNews::What::kOwnerGone, .gang = a_}));
}

TEST_F(MovesInHandTest, TheLeverIsThatOfTheTopOwnerAndItsRecordIsTold) {
  found_.owner = {.kind = "TrainJob",
                  .name = "llm",
                  .uid = "t1",
                  .controller = true,
                  .api_version = "trainer.kubeflow.org/v2alpha1"};
  found_.has_workload = true;
  MoveRecord before;
  before.number = 1;
  before.step = MoveStep::kClosed;
  before.outcome = MoveOutcome::kDone;
  before.by = "p0";
  found_.moves = WriteMoves({before, {}});
  Decide({{a_, MigrationReason::kMove}});
  const auto task = Task(moves_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->owner.name, "llm");
  EXPECT_EQ(task->lever, LeverKind::kKueue);
  EXPECT_EQ(moves_.Report().records.at("uid-a").text(), found_.moves);
}

TEST_F(MovesInHandTest, AnOwnerIsMovedOnceHoweverItIsFound) {
  found_.owner = {.kind = "JobSet",
                  .name = "llm",
                  .uid = "s1",
                  .controller = true,
                  .api_version = "jobset.x-k8s.io/v1alpha2"};
  Decide({{a_, MigrationReason::kMove}});
  Task(moves_);
  Decide({{b_, MigrationReason::kMove}});
  while (!Request(moves_).empty()) {
  }
  EXPECT_THAT(Names(moves_.TakeNews()), Contains("ml/b dropped"));
}

TEST_F(MovesInHandTest, ATopOwnerWithoutALeverIsLeftAlone) {
  found_.owner = {.kind = "Deployment", .name = "llm", .uid = "t1", .controller = true};
  Decide({{b_, MigrationReason::kMove}});
  EXPECT_FALSE(Task(moves_));
  EXPECT_THAT(moves_.Report().declined.at(b_).why, HasSubstr("is of a kind that is not known"));
}

TEST_F(MovesInHandTest, AnOwnerWithoutPodsIsFoundWhenThisReplicaBeginsToLead) {
  MoveRecord record;
  record.number = 2;
  record.step = MoveStep::kStop;
  record.by = "p0";
  left_open_ = {{.namespace_name = "ml",
                 .owner = {.kind = "PyTorchJob",
                           .name = "llm",
                           .uid = "t1",
                           .controller = true,
                           .api_version = "kubeflow.org/v1"},
                 .moves = WriteMoves({record, {}})}};
  const auto task = Task(moves_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, MoveTask::Kind::kRead);
  EXPECT_EQ(task->owner.name, "llm");
  EXPECT_EQ(moves_.Report().open[0].record.number, 2U);
}

TEST_F(MovesInHandTest, WhatIsLeftOpenIsAskedForUntilItIsKnown) {
  int asked = 0;
  for (int second = 0; second < 10; ++second) {
    moves_.Hear(Around());
    while (moves_.Next(Around())) {
      ++asked;
      moves_.OnLeftOpen(Fail(ErrorCode::kUnavailable, "no answer"), Around());
    }
    Pass(Seconds(1));
  }
  EXPECT_EQ(asked, 4) << "after 0, 1, 3 and 7 s";
  EXPECT_EQ(Request(moves_), "");
}

TEST_F(MovesInHandTest, MembersAreEvictedWithoutReadingThemEachTime) {
  MoveRecord record;
  record.number = 1;
  record.step = MoveStep::kStop;
  record.lever = LeverKind::kEvict;
  record.began = record.since = now_.wall;
  record.by = "p0-1";
  for (const PodState& pod : jobs_->jobs["a"].pods) record.members.push_back(PodPrint(pod.uid));
  jobs_->jobs["a"].record = WriteMoves({record, {}});
  jobs_->Show("a");
  std::vector<std::string> requests;
  for (std::string request = Request(moves_); !request.empty(); request = Request(moves_)) {
    requests.push_back(request);
  }
  EXPECT_THAT(requests, ElementsAre("read", "evict_pod", "evict_pod"));
  EXPECT_THAT(Names(moves_.TakeNews()), ElementsAre("ml/a taken_over"));
}

TEST_F(MovesInHandTest, ARecordThatCannotBeReadIsLeftAlone) {
  jobs_->jobs["a"].record = "move: many";
  jobs_->Show("a");
  EXPECT_EQ(Request(moves_), "");
  Decide({{a_, MigrationReason::kMove}});
  Go(moves_, 5);
  EXPECT_THAT(jobs_->jobs["a"].done, IsEmpty());
  EXPECT_THAT(moves_.Report().declined.at(a_).why, HasSubstr("its record cannot be read"));
}

TEST_F(MovesInHandTest, AMoveThatIsOverIsNotTakenOverByAWatchThatLags) {
  Decide({{a_, MigrationReason::kMove}});
  while (!jobs_->jobs["a"].suspended) {
    Request(moves_);
    jobs_->Show("a");
  }
  for (int second = 0; second < 30; ++second) {
    while (!Request(moves_).empty()) {
    }
    jobs_->Control();
    Pass(Seconds(1));
    Decide({{a_, MigrationReason::kMoving}});
  }
  EXPECT_EQ(jobs_->Record("a").outcome, MoveOutcome::kDone);
  EXPECT_TRUE(moves_.empty());
  EXPECT_THAT(moves_.Report().ended, SizeIs(1));
}

}  // namespace
}  // namespace fairlead::extender
