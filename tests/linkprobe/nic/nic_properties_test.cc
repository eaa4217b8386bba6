// What holds of the judgement whatever the peers seem to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/linkprobe/nic/nic_views.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kTrials = 5000;

class NicProperties : public testing::Test {
 protected:
  std::size_t Below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  // Mostly bad, so that a good share of the engines condemns the NIC.
  EngineSnapshot AnyEngine() {
    constexpr Seems kAll[] = {Seems::kWell,  Seems::kSlow,  Seems::kHeld,         Seems::kUnknown,
                              Seems::kNoisy, Seems::kLossy, Seems::kFaintlyLossy, Seems::kSilent};
    const Seems mostly = Below(2) == 0 ? Seems::kSilent : Seems::kLossy;
    EngineSnapshot engine = VerbsEngine();
    const std::size_t peers = Below(7);
    for (std::size_t i = 0; i < peers; ++i) {
      const Seems seems = Below(6) > 0 ? mostly : kAll[Below(std::size(kAll))];
      const std::string site = std::vector<std::string>{"hk", "sg", "tyo"}[Below(3)];
      AddPeer(engine, "n" + std::to_string(i), site, seems, Seconds(20 + 20 * Below(3)));
    }
    return engine;
  }

  std::mt19937_64 random_{7};
};

TEST_F(NicProperties, ABadNicHasTwoFailingPeersOneInTheSiteAndNoneThatIsWell) {
  int bad = 0;
  for (int i = 0; i < kTrials; ++i) {
    const EngineSnapshot engine = AnyEngine();
    const NicOpinion opinion = Judge(engine);
    EXPECT_LE(opinion.failing, opinion.peers);
    EXPECT_LE(opinion.failing_in_site, opinion.failing);
    if (!opinion.bad) continue;
    ++bad;
    EXPECT_GE(opinion.failing, 2U);
    EXPECT_GE(opinion.failing_in_site, 1U);
    EXPECT_GE(4 * opinion.failing, 3 * opinion.peers);
    for (const PathStatus& path : engine.paths) {
      EXPECT_NE(path.verdict.verdict.state, LinkState::kHealthy);
    }
  }
  EXPECT_GT(bad, kTrials / 20);
}

TEST_F(NicProperties, OneMorePeerThatIsWellAcquits) {
  for (int i = 0; i < kTrials; ++i) {
    EngineSnapshot engine = AnyEngine();
    const NicOpinion before = Judge(engine);
    AddPeer(engine, "well", "sg", Seems::kWell);
    EXPECT_FALSE(Judge(engine).bad);
    EXPECT_FALSE(Judge(engine, &before).bad);
  }
}

TEST_F(NicProperties, FaultsOfOneSiteAndItsLineNeverCondemn) {
  for (int i = 0; i < kTrials; ++i) {
    EngineSnapshot engine = AnyEngine();
    for (PathStatus& path : engine.paths) path.peer_site = "sg";
    EXPECT_FALSE(Judge(engine).bad);
  }
}

TEST_F(NicProperties, WithoutAKnownSiteNothingIsCondemned) {
  for (int i = 0; i < kTrials; ++i) {
    EngineSnapshot engine = AnyEngine();
    for (PathStatus& path : engine.paths) path.peer_site.clear();
    EXPECT_FALSE(JudgeNic({.engine = engine, .site = ""}, nullptr, kNow)->bad);
  }
}

TEST_F(NicProperties, TheOrderOfPathsDoesNotMatter) {
  for (int i = 0; i < kTrials; ++i) {
    EngineSnapshot engine = AnyEngine();
    const NicOpinion opinion = Judge(engine);
    std::shuffle(engine.paths.begin(), engine.paths.end(), random_);
    std::shuffle(engine.sessions.begin(), engine.sessions.end(), random_);
    EXPECT_EQ(Judge(engine), opinion);
  }
}

TEST_F(NicProperties, ABadNicStaysBadOnTheSameEvidence) {
  for (int i = 0; i < kTrials; ++i) {
    const EngineSnapshot engine = AnyEngine();
    const NicOpinion opinion = Judge(engine);
    EXPECT_EQ(Judge(engine, &opinion).bad, opinion.bad);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
