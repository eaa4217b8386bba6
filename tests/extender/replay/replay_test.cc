// Whole replays of made-up recordings.
#include "extender/replay/replay.h"

#include <gmock/gmock.h>

#include <cmath>
#include <iostream>
#include <random>

#include "extender/replay/outcome.h"
#include "extender/replay/threshold_table.h"
#include "tests/extender/replay/recording.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr Nanoseconds kStep = Seconds(15);

struct Replayed {
  ReplayRun run;
  Outcome outcome;
};

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    jobs_.room = {{"hk", 8}, {"sg", 4}, {"tyo", 4}};
    jobs_.gangs = {GangAt("a", {{"hk", 4}, {"sg", 4}})};
    config_.mode = MigrationMode::kEnforce;
  }

  Replayed Play(const LinkTrace& links) const {
    const ReplayQuestion question{links, jobs_, config_, lines_};
    Replayed result{Replay(question), {}};
    result.outcome = OutcomeOf(question, result.run);
    return result;
  }

  ReplayJobs jobs_;
  MigrationConfig config_;
  const LineCatalogue lines_ = sample::Catalogue();
};

TEST_F(ReplayTest, NothingMovesWhileAllIsWell) {
  const Replayed result = Play(Recording(kStep, 400).Trace());
  EXPECT_TRUE(result.run.moves.empty());
  EXPECT_EQ(result.run.gangs[0].time.at(MigrationReason::kLinesWell), kStep * 400);
  EXPECT_EQ(result.outcome.gangs[0].gain, 0);
  EXPECT_EQ(result.outcome.gangs[0].regret(), 0);
  EXPECT_EQ(result.outcome.gangs[0].ran, 6000);
}

TEST_F(ReplayTest, ALongEpisodeIsLeftOnceAsMuchIsPaidAsAMoveCosts) {
  config_.evidence_for = Seconds(0);
  const LinkTrace links =
      Recording(kStep, 1000).Degrade("hk", "sg", 100, 900, Milliseconds(800)).Trace();
  const Replayed result = Play(links);
  ASSERT_EQ(result.run.moves.size(), 1U);
  const ReplayedMove& move = result.run.moves[0];
  EXPECT_THAT(move.from, ElementsAre(Pair("hk", 4U), Pair("sg", 4U)));
  EXPECT_THAT(move.to, ElementsAre(Pair("hk", 8U)));
  EXPECT_THAT(move.left, ElementsAre(SitePair("hk", "sg")));
  // Half of ten minutes, and 60 + 180 + 60 s.
  EXPECT_EQ(move.cost, Seconds(600));
  EXPECT_GE(move.paid, Seconds(720));
  EXPECT_LT(move.paid, Seconds(720) + kStep);
  // The best course goes when the trouble begins, so what was paid is all that it does better.
  const GangOutcome& outcome = result.outcome.gangs[0];
  ASSERT_EQ(outcome.best.size(), 1U);
  EXPECT_EQ(outcome.best[0].at, Recording::After(kStep * 100));
  EXPECT_THAT(outcome.best[0].to, ElementsAre(Pair("hk", 8U)));
  EXPECT_NEAR(outcome.regret(), std::chrono::duration<double>(move.paid).count(), 1e-6);
  EXPECT_NEAR(outcome.gain, result.outcome.move_gains[0], 1e-6);
  const double rate = std::chrono::duration<double>(move.paid).count() /
                      std::chrono::duration<double>(move.at - outcome.best[0].at).count();
  EXPECT_NEAR(outcome.best_gain, rate * 800 * 15 - 600, 1e-3);
}

TEST_F(ReplayTest, ASpellThatEndsSoonMovesNobody) {
  const Replayed result =
      Play(Recording(kStep, 400).Degrade("hk", "sg", 100, 130, Milliseconds(800)).Trace());
  EXPECT_TRUE(result.run.moves.empty());
  EXPECT_GT(result.run.gangs[0].time.at(MigrationReason::kSaving), Nanoseconds(0));
  EXPECT_GT(result.run.gangs[0].time.at(MigrationReason::kEvidenceThin), Nanoseconds(0));
  EXPECT_EQ(result.outcome.gangs[0].regret(), 0);
}

TEST_F(ReplayTest, WithoutRoomElsewhereNothingMovesAndThereIsNothingToRegret) {
  jobs_.room = {{"hk", 4}, {"sg", 4}};
  const Replayed result =
      Play(Recording(kStep, 400).Degrade("hk", "sg", 100, 400, Milliseconds(800)).Trace());
  EXPECT_TRUE(result.run.moves.empty());
  EXPECT_GT(result.run.gangs[0].time.at(MigrationReason::kNoBetterPlace), Nanoseconds(0));
  EXPECT_EQ(result.outcome.gangs[0].best_gain, 0);
}

TEST_F(ReplayTest, WhatWasNotRecordedIsNeitherPaidNorCounted) {
  Recording recording(kStep, 400);
  recording.Degrade("hk", "sg", 100, 400, Milliseconds(800)).Forget("hk", "sg", 110, 400);
  const Replayed result = Play(recording.Trace());
  EXPECT_TRUE(result.run.moves.empty());
  EXPECT_GT(result.run.gangs[0].time.at(MigrationReason::kStale), kStep * 280);
  EXPECT_NEAR(result.outcome.gangs[0].unwatched, 15.0 * (400 - 111), 1e-9);
  EXPECT_EQ(result.outcome.gangs[0].best_gain, 0);
}

TEST_F(ReplayTest, DryRunActsAndOffStays) {
  config_.mode = MigrationMode::kDryRun;
  config_.namespaces = {{"ml", MigrationMode::kDryRun}, {"cv", MigrationMode::kOff}};
  config_.classes.resize(1);
  config_.classes[0].mode = MigrationMode::kDryRun;
  config_.lines = {{.line = {"hk", "sg"}, .thresholds = {}, .most = MigrationMode::kOff}};
  const MigrationConfig acting = Acting(config_);
  EXPECT_EQ(acting.mode, MigrationMode::kEnforce);
  EXPECT_EQ(acting.namespaces[0].mode, MigrationMode::kEnforce);
  EXPECT_EQ(acting.namespaces[1].mode, MigrationMode::kOff);
  EXPECT_EQ(acting.classes[0].mode, MigrationMode::kEnforce);
  EXPECT_EQ(acting.lines[0].most, MigrationMode::kOff);
  jobs_.gangs[0].wishes.mode = MigrationMode::kDryRun;
  EXPECT_EQ(Acting(jobs_).gangs[0].wishes.mode, MigrationMode::kEnforce);
}

TEST_F(ReplayTest, ARoundIsTheIntervalOrTheStepOrWhatTheEvidenceLasts) {
  const auto round = [&](int step) {
    return RoundOfReplay(Recording(Seconds(step), 3).Trace(), config_);
  };
  EXPECT_EQ(round(1), Seconds(5));
  EXPECT_EQ(round(15), Seconds(15));
  EXPECT_EQ(round(300), Seconds(30));
}

TEST_F(ReplayTest, GangsThatMoveAtOnceDoNotTakeTheSameRoom) {
  jobs_.room = {{"hk", 12}, {"sg", 8}, {"tyo", 0}};
  jobs_.gangs = {GangAt("a", {{"hk", 4}, {"sg", 4}}), GangAt("b", {{"hk", 4}, {"sg", 4}})};
  config_.limits = {Seconds(3600), {10, 10}, {10, 10}, {10, 10}};
  const Replayed result =
      Play(Recording(kStep, 1600).Degrade("hk", "sg", 100, 1600, Milliseconds(800)).Trace());
  ASSERT_EQ(result.run.moves.size(), 2U);
  EXPECT_THAT(result.run.moves[0].to, ElementsAre(Pair("hk", 8U)));
  EXPECT_THAT(result.run.moves[1].to, ElementsAre(Pair("sg", 8U)));
  EXPECT_GE(result.outcome.gangs[0].regret(), 0);
}

TEST_F(ReplayTest, TheTableHasTheConfiguredRowAndALargerMarginMovesLater) {
  config_.margin = 0.3;
  const LinkTrace links =
      Recording(kStep, 600).Degrade("hk", "sg", 100, 600, Milliseconds(800)).Trace();
  const auto table = ThresholdTable({links, jobs_, config_, lines_});
  ASSERT_EQ(table.size(), 15U);
  EXPECT_EQ(std::ranges::count_if(table, [](const auto& row) { return row.configured; }), 1);
  double last = -1;
  for (const ThresholdRow& row : table) {
    if (row.better_by != 0.1) continue;
    EXPECT_EQ(row.configured, row.margin == 0.3);
    EXPECT_EQ(row.moves, 1U);
    EXPECT_EQ(row.moving, 600);
    EXPECT_GT(row.regret, last);
    last = row.regret;
  }
}

// One spell of random length and depth: never more than cost x (1 + margin) worse than the best.
TEST_F(ReplayTest, OneSpellCostsAtMostTwiceTheBestCourseAndTheMargin) {
  std::mt19937_64 random(17);
  config_.evidence_for = Seconds(0);
  config_.better_by = 1e-6;
  int moved = 0;
  double worst = 0;
  for (int round = 0; round < 80; ++round) {
    config_.margin = round % 2 == 0 ? 0 : 0.2;
    const std::size_t length = 1 + random() % 350;
    const auto rtt = Milliseconds(200 + random() % 1500);
    const Replayed result =
        Play(Recording(kStep, 460).Degrade("hk", "sg", 100, 100 + length, rtt).Trace());
    const GangOutcome& outcome = result.outcome.gangs[0];
    moved += static_cast<int>(result.run.moves.size());
    ASSERT_GE(outcome.regret(), -1e-6) << "round " << round;
    if (outcome.best_gain < 1e-6) {
      ASSERT_TRUE(result.run.moves.empty()) << "round " << round;
      continue;
    }
    // Paid is looked at every round, so it may be a round more.
    ASSERT_LE(outcome.regret(), 600 * (1 + config_.margin) + 15) << "round " << round;
    worst = std::max(worst, outcome.regret() / 600 - config_.margin);
  }
  EXPECT_GT(moved, 20);
  EXPECT_LT(moved, 80);
  std::cout << moved << " of 80 spells were left, the worst cost " << 1 + worst
            << " of the best without the margin\n";
}

TEST_F(ReplayTest, NoRunIsBetterThanTheBestCourse) {
  std::mt19937_64 random(5);
  jobs_.room = {{"hk", 10}, {"sg", 8}, {"tyo", 8}};
  jobs_.gangs = {GangAt("a", {{"hk", 4}, {"sg", 2}}), GangAt("b", {{"hk", 2}, {"tyo", 4}}),
                 GangAt("c", {{"sg", 3}, {"tyo", 3}})};
  jobs_.gangs[2].start = Recording::After(Seconds(3000));
  jobs_.gangs[1].end = Recording::After(Seconds(9000));
  config_.min_runtime = Seconds(0);
  config_.gang_cooldown = Seconds(600);
  config_.exclusion = Seconds(600);
  const std::pair<const char*, const char*> lines[] = {{"hk", "sg"}, {"hk", "tyo"}, {"sg", "tyo"}};
  std::size_t moves = 0;
  for (int round = 0; round < 12; ++round) {
    Recording recording(kStep, 800);
    for (int spell = 0; spell < 6; ++spell) {
      const auto& [a, b] = lines[random() % 3];
      const std::size_t from = random() % 700;
      recording.Degrade(a, b, from, from + 20 + random() % 200, Milliseconds(150 + random() % 900),
                        random() % 8 == 0 ? LinkState::kDown : LinkState::kDegraded);
    }
    const Replayed result = Play(recording.Trace());
    moves += result.run.moves.size();
    for (const GangOutcome& gang : result.outcome.gangs) {
      EXPECT_GE(gang.regret(), -1e-6) << "round " << round;
      EXPECT_GE(gang.best_gain, -1e-6) << "round " << round;
    }
  }
  EXPECT_GT(moves, 5U);
}

}  // namespace
}  // namespace fairlead::extender
