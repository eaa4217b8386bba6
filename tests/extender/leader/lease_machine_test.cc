#include "extender/leader/lease_machine.h"

#include <gtest/gtest.h>

#include "tests/extender/leader/lease_simulator.h"

namespace fairlead::extender {
namespace {

using Kind = LeaseAction::Kind;

constexpr MonotonicTime At(Nanoseconds since) { return MonotonicTime(Seconds(1000)) + since; }

LeaseRecord Held(const std::string& holder, std::uint32_t transitions, const std::string& renewed) {
  return {.holder = holder,
          .duration = Seconds(15),
          .transitions = transitions,
          .acquire_time = "a",
          .renew_time = renewed};
}

// The record that a write leaves behind.
LeaseRecord Written(const LeaseWrite& write, const std::string& renewed) {
  return Held(write.holder, write.transitions, renewed);
}

class LeaseMachineTest : public testing::Test {
 protected:
  // Makes it the leader at `when`.
  void Lead(Nanoseconds when = Seconds(0)) {
    ASSERT_EQ(machine_.Next(At(when)).kind, Kind::kRead);
    machine_.OnAbsent(At(when));
    const LeaseAction create = machine_.Next(At(when));
    ASSERT_EQ(create.kind, Kind::kCreate);
    machine_.OnRecord(Written(create.write, "0"), "1", At(when));
    ASSERT_TRUE(machine_.Get(At(when)).LeadsAt(At(when)));
  }

  LeaseMachine machine_{LeaseTimes{}, "me", 7};
};

TEST_F(LeaseMachineTest, MakesTheLeaseWhereThereIsNoneAndLeadsInTermOne) {
  EXPECT_FALSE(machine_.Get(At(Seconds(0))).leading);
  EXPECT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnAbsent(At(Seconds(0)));
  const LeaseAction create = machine_.Next(At(Seconds(0)));
  EXPECT_EQ(create.kind, Kind::kCreate);
  EXPECT_EQ(create.write, (LeaseWrite{"me", Seconds(15), 1, true}));
  EXPECT_FALSE(machine_.Get(At(Seconds(0))).leading) << "asking is not having";
  machine_.OnRecord(Written(create.write, "0"), "1", At(Seconds(1)));
  EXPECT_EQ(machine_.Get(At(Seconds(1))),
            (Leadership{.leading = true, .term = 1, .holder = "me", .until = At(Seconds(10))}));
}

TEST(LeaseOfOwnPod, IsTakenOverAtOnceInTheNextTerm) {
  LeaseMachine restarted({}, "pod-a_2", 1);
  ASSERT_EQ(restarted.Next(At(Seconds(0))).kind, Kind::kRead);
  restarted.OnRecord(Held("pod-a_1", 4, "1"), "8", At(Seconds(0)));
  const LeaseAction take = restarted.Next(At(Seconds(0)));
  EXPECT_EQ(take.kind, Kind::kUpdate);
  EXPECT_EQ(take.resource_version, "8");
  EXPECT_EQ(take.write, (LeaseWrite{"pod-a_2", Seconds(15), 5, true}));
  restarted.OnRecord(Written(take.write, "2"), "9", At(Seconds(0)));
  EXPECT_TRUE(restarted.Get(At(Seconds(0))).LeadsAt(At(Seconds(0))));
}

// Two processes that are told the same pod: the newer one has it, and the older one waits.
TEST(LeaseOfOwnPod, IsNotTakenBackFromAProcessThatCameLater) {
  LeaseMachine older({}, "pod-a_1", 1);
  ASSERT_EQ(older.Next(At(Seconds(0))).kind, Kind::kRead);
  older.OnAbsent(At(Seconds(0)));
  const LeaseAction create = older.Next(At(Seconds(0)));
  older.OnRecord(Written(create.write, "0"), "1", At(Seconds(0)));
  ASSERT_EQ(older.Next(At(Seconds(2))).kind, Kind::kUpdate);
  older.OnConflict(At(Seconds(2)));
  ASSERT_EQ(older.Next(At(Seconds(2))).kind, Kind::kRead);
  older.OnRecord(Held("pod-a_2", 2, "1"), "2", At(Seconds(2)));
  EXPECT_FALSE(older.Get(At(Seconds(2))).leading);
  EXPECT_EQ(older.Next(At(Seconds(2))).kind, Kind::kWait);
}

TEST(LeaseOfOwnPod, IsNotTakenWhereItsProcessStillRenews) {
  LeaseMachine newer({}, "pod-a_2", 1);
  ASSERT_EQ(newer.Next(At(Seconds(0))).kind, Kind::kRead);
  newer.OnRecord(Held("pod-a_1", 4, "1"), "8", At(Seconds(0)));
  ASSERT_EQ(newer.Next(At(Seconds(0))).kind, Kind::kUpdate);
  newer.OnConflict(At(Seconds(0)));
  ASSERT_EQ(newer.Next(At(Seconds(0))).kind, Kind::kRead);
  newer.OnRecord(Held("pod-a_1", 4, "2"), "9", At(Seconds(0)));
  EXPECT_EQ(newer.Next(At(Seconds(0))).kind, Kind::kWait);
}

TEST(LeaseOfOwnPod, IsNeitherOfAnotherPodNorOfAHolderWithoutOne) {
  for (const char* holder : {"pod-b_1", "pod-a-1_1", "pod-a", "_1"}) {
    LeaseMachine machine({}, "pod-a_2", 1);
    ASSERT_EQ(machine.Next(At(Seconds(0))).kind, Kind::kRead);
    machine.OnRecord(Held(holder, 4, "1"), "8", At(Seconds(0)));
    EXPECT_EQ(machine.Next(At(Seconds(0))).kind, Kind::kWait) << holder;
  }
}

TEST_F(LeaseMachineTest, RenewsEveryTwoSecondsWithoutReading) {
  Lead();
  EXPECT_EQ(machine_.Next(At(Seconds(1))).kind, Kind::kWait);
  EXPECT_EQ(machine_.Next(At(Seconds(1))).until, At(Seconds(2)));
  const LeaseAction renew = machine_.Next(At(Seconds(2)));
  EXPECT_EQ(renew.kind, Kind::kUpdate);
  EXPECT_EQ(renew.resource_version, "1");
  EXPECT_EQ(renew.write, (LeaseWrite{"me", Seconds(15), 1, false}));
  machine_.OnRecord(Written(renew.write, "2"), "2", At(Milliseconds(2500)));
  EXPECT_EQ(machine_.Get(At(Seconds(3))).until, At(Seconds(12))) << "from when it was asked";
}

TEST_F(LeaseMachineTest, StopsLeadingAtTheRenewDeadlineWithoutBeingTold) {
  Lead();
  const Leadership before = machine_.Get(At(Seconds(9)));
  EXPECT_TRUE(before.LeadsAt(At(Seconds(9))));
  EXPECT_FALSE(before.LeadsAt(At(Seconds(10)))) << "a value that was kept";
  EXPECT_FALSE(machine_.Get(At(Seconds(10))).leading);
  EXPECT_EQ(machine_.Get(At(Seconds(10))).holder, "me");
}

TEST_F(LeaseMachineTest, AFailedRenewalIsTriedAgainAfterReading) {
  Lead();
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kUpdate);
  machine_.OnFailure(std::nullopt, At(Seconds(5)));
  const LeaseAction wait = machine_.Next(At(Seconds(5)));
  ASSERT_EQ(wait.kind, Kind::kWait);
  EXPECT_GE(wait.until, At(Seconds(7)));
  EXPECT_LE(wait.until, At(Milliseconds(7500)));
  ASSERT_EQ(machine_.Next(wait.until).kind, Kind::kRead);
  machine_.OnRecord(Held("me", 1, "carried out unseen"), "2", wait.until);
  const LeaseAction renew = machine_.Next(wait.until);
  EXPECT_EQ(renew.kind, Kind::kUpdate);
  EXPECT_EQ(renew.resource_version, "2");
  EXPECT_EQ(renew.write.transitions, 1U) << "it leads still";
}

TEST_F(LeaseMachineTest, WaitsNoLongerThanItLeads) {
  Lead();
  ASSERT_EQ(machine_.Next(At(Seconds(8))).kind, Kind::kUpdate);
  machine_.OnFailure(Seconds(9), At(Seconds(9)));
  EXPECT_EQ(machine_.Next(At(Seconds(9))).until, At(Seconds(10))) << "to tell that it is over";
  EXPECT_EQ(machine_.Next(At(Seconds(10))).kind, Kind::kWait) << "as long as the server asked";
}

TEST_F(LeaseMachineTest, AConflictIsReadAtOnceButNotForEver) {
  Lead();
  MonotonicTime now = At(Seconds(2));
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(machine_.Next(now).kind, Kind::kUpdate);
    machine_.OnConflict(now);
    ASSERT_EQ(machine_.Next(now).kind, Kind::kRead);
    machine_.OnRecord(Held("me", 1, "x"), std::to_string(i), now);
  }
  ASSERT_EQ(machine_.Next(now).kind, Kind::kUpdate);
  machine_.OnConflict(now);
  EXPECT_EQ(machine_.Next(now).kind, Kind::kWait);
}

TEST_F(LeaseMachineTest, StopsAtOnceWhenAnotherHoldsIt) {
  Lead();
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kUpdate);
  machine_.OnConflict(At(Seconds(2)));
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kRead);
  machine_.OnRecord(Held("other", 2, "1"), "9", At(Seconds(2)));
  EXPECT_EQ(machine_.Get(At(Seconds(2))),
            (Leadership{.leading = false, .term = 2, .holder = "other", .until = {}}));
}

TEST_F(LeaseMachineTest, AnEditedTermIsAnEndAndANewBeginning) {
  Lead();
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kUpdate);
  machine_.OnConflict(At(Seconds(2)));
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kRead);
  machine_.OnRecord(Held("me", 40, "1"), "9", At(Seconds(2)));
  EXPECT_FALSE(machine_.Get(At(Seconds(2))).leading);
  EXPECT_EQ(machine_.Next(At(Seconds(2))).write.transitions, 41U);
}

TEST_F(LeaseMachineTest, TakesWhatHasNotChangedForTheLeaseByItsOwnClock) {
  ASSERT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnRecord(Held("other", 4, "1"), "1", At(Seconds(0)));
  MonotonicTime now = At(Seconds(0));
  int looks = 0;
  LeaseAction action;
  while ((action = machine_.Next(now)).kind != Kind::kUpdate) {
    if (action.kind == Kind::kWait) {
      EXPECT_GT(action.until, now);
      now = action.until;
      continue;
    }
    ++looks;
    machine_.OnRecord(Held("other", 4, "1"), "1", now);
  }
  EXPECT_EQ(now, At(Seconds(15))) << "not a moment later";
  EXPECT_GE(looks, 6);
  EXPECT_EQ(action.write, (LeaseWrite{"me", Seconds(15), 5, true}));
}

TEST_F(LeaseMachineTest, EachSignOfLifeBeginsTheTimeAnew) {
  MonotonicTime now = At(Seconds(0));
  for (int beat = 0; beat < 50;) {
    const LeaseAction action = machine_.Next(now);
    ASSERT_TRUE(action.kind == Kind::kRead || action.kind == Kind::kWait);
    if (action.kind == Kind::kWait) {
      now = action.until;
    } else {
      const std::string renewed = std::to_string(++beat);
      machine_.OnRecord(Held("other", 4, renewed), renewed, now);
    }
  }
  EXPECT_EQ(machine_.Get(now).term, 4U);
}

TEST_F(LeaseMachineTest, TakesWhatHasBeenGivenUpAtOnce) {
  ASSERT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnRecord(Held("", 4, "1"), "1", At(Seconds(0)));
  const LeaseAction take = machine_.Next(At(Seconds(0)));
  EXPECT_EQ(take.kind, Kind::kUpdate);
  EXPECT_EQ(take.write.transitions, 5U);
}

TEST_F(LeaseMachineTest, ADeletedLeaseKeepsTheTimeOfItsHolderAndItsTerm) {
  ASSERT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnRecord(Held("other", 4, "1"), "1", At(Seconds(0)));
  MonotonicTime now = At(Seconds(0));
  LeaseAction action;
  while ((action = machine_.Next(now)).kind != Kind::kCreate) {
    if (action.kind == Kind::kWait) {
      now = action.until;
    } else {
      machine_.OnAbsent(now);
    }
  }
  EXPECT_EQ(now, At(Seconds(15)));
  EXPECT_EQ(action.write.transitions, 5U);
}

TEST_F(LeaseMachineTest, TheLeaderOfADeletedLeaseMakesItAnewInAHigherTerm) {
  Lead();
  ASSERT_EQ(machine_.Next(At(Seconds(2))).kind, Kind::kUpdate);
  machine_.OnAbsent(At(Seconds(2)));
  EXPECT_FALSE(machine_.Get(At(Seconds(2))).leading);
  const LeaseAction create = machine_.Next(At(Seconds(2)));
  EXPECT_EQ(create.kind, Kind::kCreate);
  EXPECT_EQ(create.write.transitions, 2U);
}

TEST_F(LeaseMachineTest, AnAnswerThatComesTooLateLeadsNowhere) {
  ASSERT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnAbsent(At(Seconds(0)));
  const LeaseAction create = machine_.Next(At(Seconds(0)));
  machine_.OnRecord(Written(create.write, "0"), "1", At(Seconds(10)));
  EXPECT_FALSE(machine_.Get(At(Seconds(10))).leading);
  const LeaseAction again = machine_.Next(At(Seconds(10)));
  EXPECT_EQ(again.kind, Kind::kUpdate);
  EXPECT_EQ(again.write.transitions, 2U);
}

TEST_F(LeaseMachineTest, ImpossibleRecordsAreTakenWithin) {
  for (const LeaseRecord& odd :
       {LeaseRecord{.holder = "other", .duration = Seconds(0), .transitions = 4},
        LeaseRecord{.holder = "other", .duration = Seconds(-5), .transitions = 4}}) {
    LeaseMachine machine({}, "me", 1);
    ASSERT_EQ(machine.Next(At(Seconds(0))).kind, Kind::kRead);
    machine.OnRecord(odd, "1", At(Seconds(0)));
    EXPECT_EQ(machine.Next(At(Seconds(14))).kind, Kind::kWait);
    EXPECT_EQ(machine.Next(At(Milliseconds(14'999))).until, At(Seconds(15)));
  }
  LeaseMachine patient({}, "me", 1);
  ASSERT_EQ(patient.Next(At(Seconds(0))).kind, Kind::kRead);
  patient.OnRecord({.holder = "other", .duration = Seconds(2'000'000'000), .transitions = 4}, "1",
                   At(Seconds(0)));
  ASSERT_EQ(patient.Next(At(Seconds(3600))).kind, Kind::kUpdate) << "an hour at most";
  LeaseMachine last({}, "me", 1);
  ASSERT_EQ(last.Next(At(Seconds(0))).kind, Kind::kRead);
  last.OnRecord(Held("", 2'147'483'647, "1"), "1", At(Seconds(0)));
  EXPECT_EQ(last.Next(At(Seconds(0))).write.transitions, 1U) << "the field has 31 bits";
}

TEST_F(LeaseMachineTest, GivesUpWhatItHoldsAndIsDone) {
  Lead();
  machine_.Resign();
  EXPECT_FALSE(machine_.Get(At(Seconds(1))).leading) << "before anybody else can";
  const LeaseAction give_up = machine_.Next(At(Seconds(1)));
  EXPECT_EQ(give_up.kind, Kind::kUpdate);
  EXPECT_EQ(give_up.write, (LeaseWrite{"", Seconds(1), 1, true}));
  machine_.OnRecord(Written(give_up.write, "1"), "2", At(Seconds(1)));
  EXPECT_EQ(machine_.Next(At(Seconds(1))).kind, Kind::kDone);
}

TEST_F(LeaseMachineTest, OneThatHoldsNothingIsDoneAtOnce) {
  machine_.Resign();
  EXPECT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kDone);
  LeaseMachine follower({}, "me", 1);
  ASSERT_EQ(follower.Next(At(Seconds(0))).kind, Kind::kRead);
  follower.OnRecord(Held("other", 4, "1"), "1", At(Seconds(0)));
  follower.Resign();
  EXPECT_EQ(follower.Next(At(Seconds(0))).kind, Kind::kDone);
}

TEST_F(LeaseMachineTest, OneThatMayHoldItLooksBeforeItGoes) {
  ASSERT_EQ(machine_.Next(At(Seconds(0))).kind, Kind::kRead);
  machine_.OnAbsent(At(Seconds(0)));
  const LeaseAction create = machine_.Next(At(Seconds(0)));
  machine_.OnFailure(std::nullopt, At(Seconds(3)));
  machine_.Resign();
  ASSERT_EQ(machine_.Next(At(Seconds(3))).kind, Kind::kRead);
  machine_.OnRecord(Written(create.write, "0"), "1", At(Seconds(3)));
  const LeaseAction give_up = machine_.Next(At(Seconds(3)));
  EXPECT_EQ(give_up.kind, Kind::kUpdate);
  EXPECT_EQ(give_up.write.holder, "");
}

TEST_F(LeaseMachineTest, ResigningTakesFewRequestsWhateverHappens) {
  Lead();
  machine_.Resign();
  int requests = 0;
  LeaseAction action;
  while ((action = machine_.Next(At(Seconds(1)))).kind != Kind::kDone) {
    ASSERT_NE(action.kind, Kind::kWait);
    ASSERT_LE(++requests, 4);
    machine_.OnFailure(Seconds(60), At(Seconds(1)));
  }
  EXPECT_EQ(requests, 4);
}

}  // namespace
}  // namespace fairlead::extender
