#include "extender/link_status/link_ledger.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/extender/link_status/sample_objects.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::WallAt;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Names(const std::vector<LinkWrite>& writes) {
  std::vector<std::string> names;
  for (const LinkWrite& write : writes) {
    names.push_back((write.remove ? "-" : "") + write.object.name);
  }
  return names;
}

class LinkLedgerTest : public testing::Test {
 protected:
  std::vector<LinkWrite> Due(double at, bool settled = true) {
    return ledger_.Due(LinkObjectsOf(links_.Snapshot()), settled, At(at), WallAt(at));
  }
  // Writes all that is due; the names.
  std::vector<std::string> Write(double at) {
    const auto due = Due(at);
    for (const LinkWrite& write : due) ledger_.Done(write, At(at));
    return Names(due);
  }
  void Adopt(double at, std::map<std::string, LinkStamps> found = {}) {
    ledger_.Adopt(std::move(found), At(at));
  }

  sample::Links links_ = sample::ReportedLab();
  LinkLedger ledger_;
};

TEST_F(LinkLedgerTest, WritesNothingBeforeItKnowsWhatIsThere) {
  EXPECT_FALSE(ledger_.adopted());
  EXPECT_THAT(Due(1), IsEmpty());
  Adopt(1);
  EXPECT_THAT(Names(Due(1)), ElementsAre("hk-sg", "hk-tyo", "sg-tyo"));
  ledger_.Forget();
  EXPECT_THAT(Due(2), IsEmpty());
  EXPECT_EQ(ledger_.size(), 0U);
}

TEST_F(LinkLedgerTest, WhatHasNotChangedIsWrittenOnceAMinute) {
  Adopt(0);
  EXPECT_EQ(Write(0).size(), 3U);
  for (int s = 1; s < 60; ++s) ASSERT_THAT(Write(s), IsEmpty()) << s;
  EXPECT_EQ(Write(60).size(), 3U);
  EXPECT_THAT(Write(61), IsEmpty());
}

TEST_F(LinkLedgerTest, AStateIsWrittenAtOnceAndAValueWithinTenSeconds) {
  Adopt(0);
  Write(0);
  links_.State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep);
  EXPECT_THAT(Write(1), ElementsAre("hk-sg"));
  links_.At("sg", "tyo").rtt_p50 = sample::Ms(90);
  EXPECT_THAT(Write(2), IsEmpty());
  EXPECT_THAT(Write(9), IsEmpty());
  EXPECT_THAT(Write(10), ElementsAre("sg-tyo"));
  EXPECT_THAT(Write(11), IsEmpty());
}

TEST_F(LinkLedgerTest, WhatWasNotWrittenIsDueAsItIsThen) {
  Adopt(0);
  Write(0);
  links_.State("hk", "sg", LinkState::kDown, LinkReason::kNoReply);
  EXPECT_THAT(Names(Due(1)), ElementsAre("hk-sg"));
  links_.State("hk", "sg", LinkState::kDegraded, LinkReason::kLossBoth);
  const auto due = Due(20);
  ASSERT_THAT(Names(due), ElementsAre("hk-sg"));
  EXPECT_EQ(due[0].stamps.state, LinkState::kDegraded);
  links_ = sample::ReportedLab();
  EXPECT_THAT(Due(21), IsEmpty()) << "as it was written";
}

TEST_F(LinkLedgerTest, ARoundWritesTheMostUrgentFirstAndNoMoreThanItMay) {
  ledger_ = LinkLedger({.most = 2});
  Adopt(0);
  EXPECT_THAT(Write(0), ElementsAre("hk-sg", "hk-tyo"));
  EXPECT_THAT(Write(1), ElementsAre("sg-tyo"));
  links_.At("hk", "tyo").rtt_p50 = sample::Ms(500);
  links_.State("sg", "tyo", LinkState::kDegraded, LinkReason::kRttStep);
  EXPECT_THAT(Write(60), ElementsAre("sg-tyo", "hk-tyo")) << "hk-sg has nothing new";
  EXPECT_THAT(Write(61), ElementsAre("hk-sg"));
}

TEST_F(LinkLedgerTest, OneThatIsRefusedIsLeftAloneForAWhileAndHoldsUpNoOther) {
  Adopt(0);
  for (const LinkWrite& write : Due(0)) {
    write.object.name == "hk-sg" ? ledger_.Refused(write, At(0)) : ledger_.Done(write, At(0));
  }
  EXPECT_TRUE(ledger_.AnyRefused());
  EXPECT_THAT(Due(30), IsEmpty());
  EXPECT_THAT(Write(60), ElementsAre("hk-sg", "hk-tyo", "sg-tyo"));
  EXPECT_FALSE(ledger_.AnyRefused());
}

TEST_F(LinkLedgerTest, WhatIsFoundIsTakenOver) {
  LinkStamps theirs;
  theirs.state = LinkState::kHealthy;
  theirs.fresh = ConditionStatus::kTrue;
  theirs.since = WallAt(-4000);
  theirs.reported = WallAt(-30);
  sample::Silence(links_.At("hk", "sg"));
  sample::Silence(links_.At("sg", "hk"));
  sample::Silence(links_.At("hk", "tyo"));
  Adopt(0, {{"hk-sg", theirs}, {"sg-tyo", theirs}});
  const auto due = Due(1);
  EXPECT_THAT(Names(due), ElementsAre("hk-tyo", "sg-tyo"))
      << "hk-sg was well, and probes may not have found this replica yet";
  EXPECT_EQ(due[1].stamps.since, WallAt(-4000));
  for (const LinkWrite& write : due) ledger_.Done(write, At(1));
  EXPECT_THAT(Write(89), ElementsAre("hk-tyo", "sg-tyo"));
  const auto later = Due(90);
  ASSERT_THAT(Names(later), ElementsAre("hk-sg"));
  EXPECT_EQ(later[0].stamps.fresh, ConditionStatus::kFalse);
  EXPECT_EQ(later[0].stamps.reported, WallAt(-30));
}

TEST_F(LinkLedgerTest, ALinkOfASiteThatIsGoneGoesAfterAWhile) {
  LinkStamps theirs;
  Adopt(0, {{"hk-mars", theirs}});
  Write(0);
  for (int s = 1; s < 300; ++s) {
    for (const std::string& name : Write(s)) ASSERT_NE(name, "-hk-mars") << s;
  }
  EXPECT_THAT(Due(300, false),
              testing::Not(testing::Contains(testing::Field(&LinkWrite::remove, true))))
      << "not while sites may be missing";
  EXPECT_THAT(Write(301), testing::Contains("-hk-mars"));
  EXPECT_EQ(ledger_.size(), 3U);
  EXPECT_THAT(Write(302), testing::Not(testing::Contains("-hk-mars")));
}

TEST_F(LinkLedgerTest, ASiteThatComesBackInTimeKeepsItsLink) {
  Adopt(0);
  Write(0);
  const sample::Links all = links_;
  links_ = sample::Links();
  EXPECT_THAT(Write(200), IsEmpty());
  links_ = all;
  EXPECT_EQ(Write(250).size(), 3U);
  links_ = sample::Links();
  EXPECT_THAT(Write(400), IsEmpty()) << "counted anew";
  EXPECT_THAT(Write(700), ElementsAre("-hk-sg", "-hk-tyo", "-sg-tyo"));
}

// Links change as they like and requests fail as they like: what is there is never older than it
// may be, and writes are no more than the pace allows.
TEST_F(LinkLedgerTest, InTheEndEverythingIsThereAsItIs) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    std::mt19937 random(seed);
    ledger_ = LinkLedger({.most = 2});
    links_ = sample::ReportedLab();
    std::map<std::string, LinkState> server;
    std::size_t writes = 0;
    Adopt(0);
    for (int s = 0; s < 2000; ++s) {
      if (s < 1900 && random() % 5 == 0) {
        const char* const sites[3][2] = {{"hk", "sg"}, {"hk", "tyo"}, {"sg", "tyo"}};
        const auto& pair = sites[random() % 3];
        links_.State(pair[0], pair[1], kAllLinkStates[random() % kAllLinkStates.size()],
                     LinkReason::kNone);
      }
      const auto due = Due(s);
      ASSERT_LE(due.size(), 2U);
      for (const LinkWrite& write : due) {
        const auto luck = random() % 4;
        if (s < 1900 && luck == 0) break;  // the API server is away
        if (s < 1800 && luck == 1) {
          ledger_.Refused(write, At(s));
          continue;
        }
        server[write.object.name] = write.stamps.state;
        ledger_.Done(write, At(s));
        ++writes;
      }
    }
    for (const LinkObject& object : LinkObjectsOf(links_.Snapshot())) {
      EXPECT_EQ(server.at(object.name), WorseWay(object).state) << object.name << ", seed " << seed;
    }
    EXPECT_EQ(server.size(), 3U);
    EXPECT_GT(writes, 90U);
  }
}

}  // namespace
}  // namespace fairlead::extender
