#include "extender/relocation_api/move_client.h"

#include <gtest/gtest.h>

#include <csignal>

#include "extender/relocation/relocation.h"
#include "tests/extender/relocation_api/fake_job_api.h"

namespace fairlead::extender {
namespace {

class MoveClientTest : public testing::Test {
 protected:
  MoveClientTest() {
    std::signal(SIGPIPE, SIG_IGN);
    auto connection = kube::ApiConnection::Create(api_.access(), "test/1", clock_);
    client_.emplace(*std::move(connection), clock_);
  }

  MoveFacts Facts() {
    auto facts = client_->Read(target_, [](std::string_view node) { return node.substr(0, 2); });
    EXPECT_TRUE(facts) << facts.error().message;
    return facts.value_or(MoveFacts{});
  }

  static MoveIntent Intent(LeverKind lever) {
    return {.number = 1,
            .lever = lever,
            .from = {{"hk", 2}},
            .to = {{"sg", 2}},
            .left = {{"hk", "sg"}},
            .checkpoint = false,
            .why = "because"};
  }

  // Carries the move on until it is over, the controller's part included.
  void CarryOut(Relocation& move) {
    for (int turn = 0; turn < 200; ++turn) {
      now_.steady += Seconds(5);
      now_.wall += Seconds(5);
      const RelocationAction action = move.Next(Facts(), config_, now_);
      switch (action.kind) {
        case RelocationAction::Kind::kCall:
          move.OnOutcome(client_->Do(target_, action.call), now_);
          break;
        case RelocationAction::Kind::kWait:
          api_.Control("sg");
          break;
        case RelocationAction::Kind::kClosed:
          return;
      }
    }
    FAIL() << "never over";
  }
  static MoveRecord RecordOf(FakeJobApi& api) {
    const std::string text = api.job()["metadata"]["annotations"]["fairlead.dev/moves"];
    return ReadMoves(text).value().current;
  }
  MoveRecord Record() { return RecordOf(api_); }

  const SystemClock clock_;
  FakeJobApi api_;
  const MoveTarget target_{.namespace_name = "ml",
                           .owner = {.kind = "Job",
                                     .name = "train",
                                     .uid = "u1",
                                     .controller = true,
                                     .api_version = "batch/v1"}};
  const RelocationConfig config_;
  Moment now_{.steady = MonotonicTime(Seconds(1000)), .wall = WallTime(Seconds(1'796'000'000))};
  std::optional<MoveClient> client_;
};

TEST_F(MoveClientTest, ReadsAJobAndItsPods) {
  const MoveFacts facts = Facts();
  EXPECT_TRUE(facts.owner.exists);
  EXPECT_FALSE(facts.owner.suspended);
  EXPECT_EQ(facts.owner.record, "");
  EXPECT_EQ(facts.size, 2U);
  ASSERT_EQ(facts.pods.size(), 2U);
  EXPECT_EQ(facts.pods[0].name, "train-0");
  EXPECT_EQ(facts.pods[1].site, "hk");
  EXPECT_TRUE(facts.pods[1].ready);
}

TEST_F(MoveClientTest, SuspendsAndResumesOnce) {
  Relocation move("p1", Intent(LeverKind::kSuspend));
  CarryOut(move);
  EXPECT_EQ(Record().outcome, MoveOutcome::kDone);
  EXPECT_EQ(api_.job()["spec"]["suspend"], false);
  EXPECT_EQ(Facts().pods[0].site, "sg");
  EXPECT_EQ(api_.changes(), 4) << "record, suspend, resume, closed";
}

TEST_F(MoveClientTest, EvictsEveryMemberAndDeletesWhatABudgetStillKeeps) {
  api_.Allow(1);
  Relocation move("p1", Intent(LeverKind::kEvict));
  CarryOut(move);
  EXPECT_EQ(Record().outcome, MoveOutcome::kDone);
  EXPECT_EQ(Facts().pods[0].uid, "train-0-2");
  EXPECT_EQ(Facts().pods[1].uid, "train-1-2");
}

class MoveClientFailure : public MoveClientTest, public testing::WithParamInterface<int> {};

TEST_P(MoveClientFailure, OfAnyCallCostsTimeAlone) {
  for (int failing = 0; failing < 4; ++failing) {
    SCOPED_TRACE(failing);
    FakeJobApi api;
    client_.emplace(*kube::ApiConnection::Create(api.access(), "test/1", clock_), clock_);
    Relocation move("p1", Intent(LeverKind::kSuspend));
    int calls = 0;
    bool over = false;
    for (int turn = 0; turn < 200 && !over; ++turn) {
      now_.steady += Seconds(60);
      now_.wall += Seconds(1);
      const RelocationAction action = move.Next(Facts(), config_, now_);
      over = action.kind == RelocationAction::Kind::kClosed;
      if (action.kind == RelocationAction::Kind::kWait) api.Control("sg");
      if (action.kind != RelocationAction::Kind::kCall) continue;
      if (calls++ == failing) api.FailNext(GetParam());
      move.OnOutcome(client_->Do(target_, action.call), now_);
    }
    EXPECT_EQ(RecordOf(api).outcome, MoveOutcome::kDone);
    EXPECT_EQ(api.changes(), 4) << "none was made twice";
    EXPECT_EQ(api.job()["spec"]["suspend"], false);
  }
}

INSTANTIATE_TEST_SUITE_P(Codes, MoveClientFailure, testing::Values(0, 403, 409, 429, 500, 503),
                         [](const auto& code) {
                           return code.param == 0 ? std::string("ReplyLost")
                                                  : "Http" + std::to_string(code.param);
                         });

TEST_F(MoveClientTest, AnotherJobOfTheSameNameIsNotTheOwner) {
  MoveTarget other = target_;
  other.owner.uid = "u2";
  const auto facts = client_->Read(other, [](std::string_view) { return std::string_view(); });
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->owner.exists);
  EXPECT_TRUE(facts->pods.empty());
}

TEST_F(MoveClientTest, AnEditInBetweenIsAConflict) {
  Relocation move("p1", Intent(LeverKind::kSuspend));
  const RelocationAction action = move.Next(Facts(), config_, now_);
  ASSERT_EQ(action.kind, RelocationAction::Kind::kCall);
  api_.Edit();
  EXPECT_EQ(client_->Do(target_, action.call).result, CallResult::kConflict);
  EXPECT_EQ(api_.changes(), 0);
}

}  // namespace
}  // namespace fairlead::extender
