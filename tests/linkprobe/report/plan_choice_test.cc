#include "linkprobe/report/plan_choice.h"

#include <gtest/gtest.h>

#include <random>

namespace fairlead::linkprobe {
namespace {

MonotonicTime At(int seconds) { return MonotonicTime(Seconds(1000 + seconds)); }

Plan MakePlan(std::uint64_t term, std::uint64_t revision) {
  return {.term = term, .revision = revision, .site = "hk", .peers = {}};
}

class PlanChoiceTest : public testing::Test {
 protected:
  PlanVerdict Say(const std::string& who, std::uint64_t term, std::uint64_t revision, int second) {
    const PlanVerdict verdict = choice_.Arrived(who, MakePlan(term, revision), At(second));
    Turn(second);
    return verdict;
  }
  void Turn(int second) {
    if (const auto plan = choice_.Turn(At(second))) {
      taken_.push_back(std::to_string(plan->term) + "." + std::to_string(plan->revision));
    }
  }

  PlanChoice choice_;
  std::vector<std::string> taken_;
};

using Taken = std::vector<std::string>;

TEST_F(PlanChoiceTest, NothingIsChosenOfNothing) {
  choice_.Opened("a");
  Turn(0);
  choice_.Follows("a", At(1));
  Turn(1);
  choice_.Closed("b", At(2));
  Turn(2);
  EXPECT_EQ(taken_, Taken{});
}

TEST_F(PlanChoiceTest, OneReplicaWithoutAnElectionIsFollowed) {
  choice_.Opened("a");
  EXPECT_EQ(Say("a", 0, 10, 0), PlanVerdict::kHeard);
  EXPECT_EQ(Say("a", 0, 10, 1), PlanVerdict::kSame);
  EXPECT_EQ(Say("a", 0, 9, 2), PlanVerdict::kStaleRevision);
  EXPECT_EQ(Say("a", 0, 11, 3), PlanVerdict::kHeard);
  EXPECT_EQ(taken_, (Taken{"0.10", "0.11"}));
}

TEST_F(PlanChoiceTest, ALeaseEndsWithTheVoiceThatGrantedIt) {
  const auto grant = [&](const std::string& who, std::uint64_t revision, int second) {
    Plan plan = MakePlan(1, revision);
    plan.lease = BandwidthLease{.id = revision};
    choice_.Arrived(who, std::move(plan), At(second));
    const auto taken = choice_.Turn(At(second));
    return taken && taken->lease;
  };
  choice_.Opened("a");
  choice_.Opened("b");
  ASSERT_TRUE(grant("a", 10, 0));
  EXPECT_FALSE(choice_.WithoutLease());
  choice_.Closed("b", At(1));
  EXPECT_FALSE(choice_.WithoutLease()) << "another replica's stream";
  choice_.Closed("a", At(2));
  EXPECT_FALSE(choice_.Turn(At(2)));
  const auto without = choice_.WithoutLease();
  ASSERT_TRUE(without);
  EXPECT_EQ(without->revision, 10U);
  EXPECT_FALSE(without->lease);
  EXPECT_FALSE(choice_.WithoutLease()) << "once";

  choice_.Opened("a");
  ASSERT_TRUE(grant("a", 11, 3));
  choice_.Follows("a", At(4));
  EXPECT_FALSE(choice_.Turn(At(4)));
  EXPECT_TRUE(choice_.WithoutLease()) << "it does not lead any more";

  ASSERT_TRUE(grant("a", 12, 5));
  EXPECT_EQ(Say("a", 1, 13, 6), PlanVerdict::kHeard);
  EXPECT_FALSE(choice_.WithoutLease()) << "the plan in force has none";
}

TEST_F(PlanChoiceTest, TheHighestTermWinsWhoeverSpeaksFirst) {
  choice_.Opened("a");
  choice_.Opened("b");
  Say("b", 4, 1, 0);
  EXPECT_EQ(Say("a", 3, 99, 1), PlanVerdict::kStaleTerm);
  Say("a", 5, 1, 2);
  EXPECT_EQ(taken_, (Taken{"4.1", "5.1"}));
  EXPECT_EQ(choice_.leader(), "a");
}

TEST_F(PlanChoiceTest, ALeaderThatIsReplacedIsReplacedOnce) {
  choice_.Opened("a");
  choice_.Opened("b");
  Say("a", 3, 7, 0);
  choice_.Follows("b", At(0));
  choice_.Follows("a", At(1));
  Turn(1);
  EXPECT_EQ(taken_, (Taken{"3.7"})) << "nobody leads; the plan stays";
  Say("b", 4, 1, 2);
  choice_.Closed("a", At(3));
  Turn(3);
  choice_.Opened("a");
  choice_.Follows("a", At(4));
  Turn(4);
  EXPECT_EQ(taken_, (Taken{"3.7", "4.1"}));
}

TEST_F(PlanChoiceTest, ALeaderThatHungAndWasReplacedNeverComesBack) {
  choice_.Opened("a");
  choice_.Opened("b");
  Say("a", 3, 7, 0);
  Say("b", 4, 1, 20);
  choice_.Closed("b", At(30));
  for (int second = 30; second < 1000; ++second) Turn(second);
  EXPECT_EQ(taken_, (Taken{"3.7", "4.1"})) << "what it said is older than its end";
}

TEST_F(PlanChoiceTest, ALowerTermCountsOnceTheHigherOneIsForgotten) {
  choice_.Opened("a");
  Say("a", 57, 7, 0);
  choice_.Closed("a", At(10));
  choice_.Opened("a");
  EXPECT_EQ(Say("a", 1, 8, 12), PlanVerdict::kStaleTerm);
  for (int second = 13; second < 70; ++second) Turn(second);
  EXPECT_EQ(taken_, (Taken{"57.7"}));
  Turn(70);
  EXPECT_EQ(taken_, (Taken{"57.7", "1.8"}));
  Say("a", 1, 9, 71);
  EXPECT_EQ(taken_.back(), "1.9");
}

TEST_F(PlanChoiceTest, AHigherTermThatComesBackInTimeIsNotForgotten) {
  choice_.Opened("a");
  Say("a", 57, 7, 0);
  choice_.Closed("a", At(10));
  choice_.Opened("b");
  Say("b", 1, 8, 12);
  choice_.Opened("a");
  Say("a", 57, 9, 60);
  for (int second = 60; second < 300; ++second) Turn(second);
  EXPECT_EQ(taken_, (Taken{"57.7", "57.9"}));
}

TEST_F(PlanChoiceTest, OfOneTermAllProbesChooseTheSameReplica) {
  for (const bool reversed : {false, true}) {
    PlanChoice choice;
    choice.Opened("a");
    choice.Opened("b");
    choice.Arrived(reversed ? "b" : "a", MakePlan(0, reversed ? 200 : 100), At(0));
    choice.Turn(At(0));
    choice.Arrived(reversed ? "a" : "b", MakePlan(0, reversed ? 100 : 200), At(1));
    choice.Turn(At(1));
    EXPECT_EQ(choice.leader(), "a");
    choice.Arrived("b", MakePlan(0, 201), At(2));
    EXPECT_FALSE(choice.Turn(At(2)));
    choice.Closed("a", At(3));
    EXPECT_EQ(choice.Turn(At(3))->revision, 201U);
  }
}

TEST_F(PlanChoiceTest, ANewStreamMayCountItsRevisionsAnew) {
  choice_.Opened("a");
  Say("a", 0, 500, 0);
  choice_.Closed("a", At(1));
  choice_.Opened("a");
  Say("a", 0, 3, 2);
  EXPECT_EQ(taken_, (Taken{"0.500", "0.3"})) << "its clock was set back";
}

// Replicas as they are: one leader after the other, streams that break, replicas that hang.
TEST_F(PlanChoiceTest, WhateverHappensTermsOnlyGrowWithinAMinute) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    PlanChoice choice;
    const std::string names[] = {"a", "b", "c"};
    std::uint64_t term = 0;
    std::uint64_t in_force = 0;
    std::uint64_t revision = 0;
    int second = 0;
    for (int step = 0; step < 300; ++step) {
      second += static_cast<int>(random() % 5);
      const std::string& who = names[random() % 3];
      switch (random() % 5) {
        case 0:
          choice.Opened(who);
          break;
        case 1:
          choice.Closed(who, At(second));
          break;
        case 2:
          choice.Follows(who, At(second));
          break;
        case 3:
          choice.Arrived(who, MakePlan(++term, ++revision), At(second));
          break;
        default:
          // Only what was said before it was replaced can still be on its way.
          choice.Arrived(who, MakePlan(term, ++revision), At(second));
      }
      if (const auto plan = choice.Turn(At(second))) {
        EXPECT_GE(plan->term, in_force) << "seed " << seed;
        in_force = plan->term;
      }
      if (in_force == 0) continue;
      EXPECT_FALSE(choice.Turn(At(second))) << "nothing is chosen twice";
    }
    EXPECT_GT(in_force, 20U);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
