#include "common/kube/reflect/reflector_machine.h"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <set>
#include <string>

namespace fairlead::kube {
namespace {

using Kind = ReflectorAction::Kind;
using Verdict = ReflectorMachine::PageVerdict;

constexpr MonotonicTime kBegin{Seconds(1000)};

class ReflectorMachineTest : public testing::Test {
 protected:
  ReflectorAction Next() { return machine_.Next(now_); }
  // How long it wants to wait now.
  Nanoseconds Wait() {
    const ReflectorAction action = Next();
    EXPECT_EQ(action.kind, Kind::kWait);
    return action.until - now_;
  }
  // Passes the wait and gives what comes after it.
  ReflectorAction AfterWait() {
    const ReflectorAction action = Next();
    if (action.kind != Kind::kWait) return action;
    EXPECT_GT(action.until, now_);
    now_ = action.until;
    return Next();
  }
  // Lists one page and begins to watch.
  void Sync(const std::string& version = "100") {
    ASSERT_EQ(AfterWait().kind, Kind::kList);
    ASSERT_EQ(machine_.OnPage({version, ""}, now_), Verdict::kComplete);
    ASSERT_EQ(Next().kind, Kind::kWatch);
  }
  void EndWatch(std::optional<ApiFailure> failure, Nanoseconds lasted = Seconds(5)) {
    now_ += lasted;
    machine_.OnWatchEnded(failure, std::nullopt, now_);
  }

  ReflectorMachine machine_{{}, false, 7};
  MonotonicTime now_ = kBegin;
};

TEST_F(ReflectorMachineTest, ListsPageByPageThenWatchesFromTheListsVersion) {
  ReflectorAction action = Next();
  EXPECT_EQ(action.kind, Kind::kList);
  EXPECT_TRUE(action.first_page);
  EXPECT_FALSE(action.whole);
  EXPECT_EQ(action.continue_token, "");
  EXPECT_EQ(machine_.OnPage({"100", "c1"}, now_), Verdict::kMore);
  action = Next();
  EXPECT_EQ(action.kind, Kind::kList);
  EXPECT_FALSE(action.first_page);
  EXPECT_EQ(action.continue_token, "c1");
  EXPECT_EQ(machine_.OnPage({"100", "c2"}, now_), Verdict::kMore);
  EXPECT_EQ(Next().continue_token, "c2");
  EXPECT_EQ(machine_.OnPage({"100", ""}, now_), Verdict::kComplete);
  action = Next();
  EXPECT_EQ(action.kind, Kind::kWatch);
  EXPECT_EQ(action.resource_version, "100");
}

TEST_F(ReflectorMachineTest, EventsAndBookmarksMoveTheVersion) {
  Sync();
  machine_.OnEvent("101", now_);
  machine_.OnEvent("", now_);
  EndWatch(std::nullopt);
  EXPECT_EQ(Next().resource_version, "101");
  machine_.OnEvent("opaque-z", now_);
  EndWatch(ApiFailure::kUnreachable);
  EXPECT_EQ(AfterWait().resource_version, "opaque-z");
}

TEST_F(ReflectorMachineTest, AnOrderlyEndIsFollowedByTheNextWatchAtOnce) {
  Sync();
  EndWatch(std::nullopt, Seconds(1));
  EXPECT_EQ(Next().kind, Kind::kWatch);
}

TEST_F(ReflectorMachineTest, AWatchThatEndsAtOnceIsFollowedByAWait) {
  Sync();
  EndWatch(std::nullopt, Milliseconds(999));
  EXPECT_GE(Wait(), Milliseconds(500));
  EXPECT_EQ(AfterWait().kind, Kind::kWatch);
}

struct EndCase {
  ApiFailure failure;
  bool lists;  // anew, else it watches on from where it was
};
std::ostream& operator<<(std::ostream& out, const EndCase& c) {
  return out << ApiFailureName(c.failure);
}

class WatchEndTest : public ReflectorMachineTest, public testing::WithParamInterface<EndCase> {};

TEST_P(WatchEndTest, IsFollowedByAWaitAndTheRightRequest) {
  Sync();
  machine_.OnEvent("104", now_);
  EndWatch(GetParam().failure);
  EXPECT_GE(Wait(), Milliseconds(500));
  EXPECT_LE(Wait(), Seconds(1));
  const ReflectorAction action = AfterWait();
  EXPECT_EQ(action.kind, GetParam().lists ? Kind::kList : Kind::kWatch);
  if (GetParam().lists) {
    EXPECT_TRUE(action.first_page);
  } else {
    EXPECT_EQ(action.resource_version, "104");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WatchEndTest,
    testing::Values(EndCase{ApiFailure::kUnreachable, false}, EndCase{ApiFailure::kSilent, false},
                    EndCase{ApiFailure::kThrottled, false},
                    EndCase{ApiFailure::kUnauthenticated, false},
                    EndCase{ApiFailure::kForbidden, false},
                    EndCase{ApiFailure::kServerError, false}, EndCase{ApiFailure::kAccess, false},
                    EndCase{ApiFailure::kExpired, true}, EndCase{ApiFailure::kMalformed, true},
                    EndCase{ApiFailure::kTooLarge, true}, EndCase{ApiFailure::kRejected, true},
                    EndCase{ApiFailure::kConflict, true}, EndCase{ApiFailure::kNotFound, true}));

class ListFailureTest : public ReflectorMachineTest,
                        public testing::WithParamInterface<ApiFailure> {};

TEST_P(ListFailureTest, InTheMiddleBeginsAnewAfterAWait) {
  ASSERT_EQ(machine_.OnPage({"100", "c1"}, now_), Verdict::kMore);
  EXPECT_FALSE(machine_.OnListFailed(GetParam(), std::nullopt, now_));
  EXPECT_GE(Wait(), Milliseconds(500));
  const ReflectorAction action = AfterWait();
  EXPECT_EQ(action.kind, Kind::kList);
  EXPECT_TRUE(action.first_page);
  EXPECT_EQ(action.continue_token, "");
  EXPECT_EQ(action.whole, GetParam() == ApiFailure::kExpired);
}

INSTANTIATE_TEST_SUITE_P(All, ListFailureTest,
                         testing::Values(ApiFailure::kUnreachable, ApiFailure::kSilent,
                                         ApiFailure::kThrottled, ApiFailure::kUnauthenticated,
                                         ApiFailure::kForbidden, ApiFailure::kNotFound,
                                         ApiFailure::kConflict, ApiFailure::kExpired,
                                         ApiFailure::kRejected, ApiFailure::kServerError,
                                         ApiFailure::kMalformed, ApiFailure::kTooLarge,
                                         ApiFailure::kAccess));

TEST_F(ReflectorMachineTest, AfterPagesExpiredTheNextListIsWholeAndTheOneAfterItIsNot) {
  machine_.OnListFailed(ApiFailure::kExpired, std::nullopt, now_);
  EXPECT_TRUE(AfterWait().whole);
  machine_.OnListFailed(ApiFailure::kUnreachable, std::nullopt, now_);
  EXPECT_TRUE(AfterWait().whole);
  Sync();
  EndWatch(ApiFailure::kExpired);
  EXPECT_FALSE(AfterWait().whole);
}

TEST_F(ReflectorMachineTest, APageWithoutAVersionIsNoPage) {
  EXPECT_EQ(machine_.OnPage({"", ""}, now_), Verdict::kMalformed);
  EXPECT_GE(Wait(), Milliseconds(500));
}

TEST_F(ReflectorMachineTest, PagesWithoutEndAreGivenUp) {
  EXPECT_EQ(machine_.OnPage({"1", "same"}, now_), Verdict::kMore);
  EXPECT_EQ(machine_.OnPage({"1", "same"}, now_), Verdict::kMalformed);
  now_ = Next().until;
  int pages = 0;
  while (machine_.OnPage({"1", std::to_string(pages)}, now_) == Verdict::kMore) ++pages;
  EXPECT_EQ(pages, 10'000);
  EXPECT_EQ(Next().kind, Kind::kWait);
}

TEST_F(ReflectorMachineTest, WaitsDoubleUpToTheLongest) {
  Nanoseconds span = Seconds(1);
  for (int i = 0; i < 10; ++i) {
    machine_.OnListFailed(ApiFailure::kUnreachable, std::nullopt, now_);
    EXPECT_GE(Wait(), span / 2);
    EXPECT_LE(Wait(), span);
    now_ = Next().until;
    span = std::min<Nanoseconds>(span * 2, Seconds(30));
  }
}

TEST_F(ReflectorMachineTest, AListAloneIsNoProgressButAHealthyWatchIs) {
  for (int i = 0; i < 8; ++i) machine_.OnListFailed(ApiFailure::kSilent, std::nullopt, now_);
  Sync();
  EndWatch(ApiFailure::kExpired, Seconds(9));
  EXPECT_GE(Wait(), Seconds(15));
  Sync();
  EndWatch(ApiFailure::kExpired, Seconds(10));
  EXPECT_LE(Wait(), Seconds(1));
}

TEST_F(ReflectorMachineTest, AnEventOfAHealthyWatchIsProgress) {
  for (int i = 0; i < 8; ++i) machine_.OnListFailed(ApiFailure::kSilent, std::nullopt, now_);
  Sync();
  now_ += Seconds(10);
  machine_.OnEvent("101", now_);
  EndWatch(ApiFailure::kUnreachable, Nanoseconds(0));
  EXPECT_LE(Wait(), Seconds(1));
}

TEST_F(ReflectorMachineTest, RetryAfterIsHonouredAndABitMore) {
  machine_.OnListFailed(ApiFailure::kThrottled, Seconds(20), now_);
  EXPECT_GT(Wait(), Seconds(20));
  EXPECT_LE(Wait(), Seconds(21));
}

TEST_F(ReflectorMachineTest, RetryAfterIsNotBelievedBeyondReason) {
  machine_.OnListFailed(ApiFailure::kThrottled, Seconds(1'000'000), now_);
  EXPECT_LE(Wait(), Seconds(301));
}

TEST_F(ReflectorMachineTest, AShortRetryAfterDoesNotShortenTheOwnWait) {
  for (int i = 0; i < 6; ++i) {
    machine_.OnListFailed(ApiFailure::kThrottled, Milliseconds(1), now_);
  }
  EXPECT_GE(Wait(), Seconds(15));
}

TEST_F(ReflectorMachineTest, AServerThatForgotOurVersionIsListedAnew) {
  for (const ApiFailure failure : {ApiFailure::kSilent, ApiFailure::kServerError}) {
    Sync();
    for (int i = 0; i < 2; ++i) {
      EndWatch(failure, Seconds(150));
      ASSERT_EQ(AfterWait().kind, Kind::kWatch);
    }
    EndWatch(failure, Seconds(150));
    EXPECT_EQ(AfterWait().kind, Kind::kList);
  }
}

TEST_F(ReflectorMachineTest, EventsBetweenSilencesAreNoReasonToList) {
  Sync();
  for (int i = 0; i < 10; ++i) {
    machine_.OnEvent("2", now_);
    EndWatch(ApiFailure::kSilent, Seconds(150));
    ASSERT_EQ(AfterWait().kind, Kind::kWatch);
  }
}

TEST_F(ReflectorMachineTest, AnUnreachableServerIsNeverAReasonToListAll) {
  Sync();
  for (int i = 0; i < 100; ++i) {
    EndWatch(ApiFailure::kUnreachable, Nanoseconds(0));
    ASSERT_EQ(AfterWait().kind, Kind::kWatch);
  }
}

TEST_F(ReflectorMachineTest, WhatWasStoppedChangesNothing) {
  Sync();
  EndWatch(ApiFailure::kStopped);
  EXPECT_EQ(Next().kind, Kind::kWatch);
  EXPECT_EQ(Next().resource_version, "100");
}

TEST(OptionalReflectorTest, AnAbsentResourceIsEmptyAndLookedForAgain) {
  ReflectorMachine machine({}, true, 1);
  MonotonicTime now = kBegin;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(machine.Next(now).kind, Kind::kList);
    EXPECT_TRUE(machine.OnListFailed(ApiFailure::kNotFound, std::nullopt, now));
    const ReflectorAction wait = machine.Next(now);
    EXPECT_EQ(wait.kind, Kind::kWait);
    EXPECT_EQ(wait.until - now, Seconds(60));
    now = wait.until;
  }
  EXPECT_FALSE(machine.OnListFailed(ApiFailure::kForbidden, std::nullopt, now));
}

TEST(WatchTimeoutTest, IsDrawnAnewFromItsRange) {
  ReflectorMachine machine({}, false, 3);
  ASSERT_EQ(machine.OnPage({"1", ""}, kBegin), Verdict::kComplete);
  std::set<Seconds> seen;
  for (int i = 0; i < 50; ++i) {
    const Seconds timeout = machine.Next(kBegin).timeout;
    EXPECT_GE(timeout, Seconds(300));
    EXPECT_LE(timeout, Seconds(600));
    seen.insert(timeout);
  }
  EXPECT_GT(seen.size(), 20U);
}

TEST(ReflectorSeedTest, SameSeedSameWaitsOtherSeedOthers) {
  const auto waits = [](std::uint64_t seed) {
    ReflectorMachine machine({}, false, seed);
    std::vector<Nanoseconds> out;
    MonotonicTime now = kBegin;
    for (int i = 0; i < 8; ++i) {
      machine.OnListFailed(ApiFailure::kUnreachable, std::nullopt, now);
      out.push_back(machine.Next(now).until - now);
      now = machine.Next(now).until;
    }
    return out;
  };
  EXPECT_EQ(waits(1), waits(1));
  EXPECT_NE(waits(1), waits(2));
}

}  // namespace
}  // namespace fairlead::kube
