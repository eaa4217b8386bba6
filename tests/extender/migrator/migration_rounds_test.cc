#include "extender/migrator/migration_rounds.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

#include "tests/extender/migration_round/cluster_of_gangs.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FakeClock final : public Clock {
 public:
  MonotonicTime Now() const override { return now; }
  WallTime WallNow() const override { return ClusterOfGangs::Ready() + (now - sample::At(0)); }
  MonotonicTime now = sample::At(100'000);
};

class KeptEvents final : public EventSink {
 public:
  bool Tell(ClusterEvent event) override {
    reasons.push_back(event.reason);
    return true;
  }
  std::vector<std::string> reasons;
};

class MigrationRoundsTest : public testing::Test {
 protected:
  MigrationRoundsTest() {
    cluster_of_gangs_.AddJob("a", {"hk1", "sg1"});
    view_.Publish(cluster_of_gangs_.state.Publish(
        {.nodes = clock_.now, .pods = clock_.now, .jobs = {}, .pod_groups = {}}));
    Config config;
    config.migration.breaker.lines = 1;
    config_.Publish(config);
    extender::Setup setup;
    setup.lines = sample::Catalogue();
    setup_.Publish(std::move(setup));
    PublishLinks();
  }

  void PublishLinks() {
    LinkSnapshot links = lab_.Snapshot();
    for (LinkView& view : links.links) {
      view.quorum = 1;
      view.agreeing = 1;
      view.state_age = Seconds(3600);
    }
    links_.Publish(std::move(links));
  }
  void Degrade() {
    for (LinkView* view : {&lab_.At("hk", "sg"), &lab_.At("sg", "hk")}) {
      view->state = LinkState::kDegraded;
      view->reason = LinkReason::kRttStep;
      view->rtt_p50 = view->rtt_p99 = Milliseconds(90);
    }
    PublishLinks();
  }
  void SetMode(MigrationMode mode) {
    Config config = *config_.Get();
    config.migration.mode = mode;
    config_.Publish(config);
  }
  // Rounds of the configuration's interval for so long; the gang's report after the last.
  GangReport After(Nanoseconds span) {
    for (Nanoseconds passed{}; passed < span; passed += rounds_.interval()) {
      clock_.now += rounds_.interval();
      rounds_.Step();
    }
    return rounds_.report().Get()->gangs.at(0);
  }

  MigrationSources Sources(const Snapshot<MovesReport>* moves = nullptr,
                           decltype(MigrationSources::made) made = {}) {
    return {.config = config_,
            .setup = setup_,
            .cluster = view_,
            .links = links_,
            .leadership = leadership_,
            .clock = clock_,
            .room_of = [this](const GangView&,
                              const std::shared_ptr<const ClusterView>&) { return whole_; },
            .moves = moves,
            .made = std::move(made)};
  }

  FakeClock clock_;
  ClusterOfGangs cluster_of_gangs_;
  sample::Links lab_ = sample::Lab();
  Snapshot<Config> config_;
  Snapshot<extender::Setup> setup_;
  Snapshot<ClusterView> view_;
  Snapshot<LinkSnapshot> links_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
  KeptEvents events_;
  WholeRoom whole_{.room = {{"tyo", 3}}, .occupancy = {}};
  MigrationRounds rounds_{Sources(), events_};
};

TEST_F(MigrationRoundsTest, AMeterFillsUntilTheMoveIsAdvisedOnce) {
  EXPECT_EQ(After(Seconds(30)).verdict.reason, MigrationReason::kLinesWell);
  Degrade();
  const GangReport saving = After(Seconds(600));
  EXPECT_EQ(saving.verdict.reason, MigrationReason::kSaving);
  EXPECT_GT(saving.verdict.paid, Seconds(300));
  EXPECT_THAT(events_.reasons, IsEmpty());
  const GangReport advised = After(Seconds(3600));
  EXPECT_EQ(advised.verdict.reason, MigrationReason::kDryRun);
  EXPECT_EQ(advised.verdict.to->members, (SiteCounts{{"tyo", 2}}));
  EXPECT_THAT(events_.reasons, ElementsAre("MigrationAdvised"));
  EXPECT_EQ(rounds_.report().Get()->verdicts.at(MigrationReason::kDryRun), 1U);
}

TEST_F(MigrationRoundsTest, WhatNobodyTakesInHandIsDecidedAnewAndNotUnderWay) {
  SetMode(MigrationMode::kEnforce);
  Degrade();
  EXPECT_EQ(After(Seconds(3600)).verdict.reason, MigrationReason::kMove);
  EXPECT_EQ(After(Seconds(3600)).verdict.reason, MigrationReason::kMove);
  EXPECT_THAT(events_.reasons, IsEmpty()) << "whoever moves it tells";
}

// Who carries out moves has the gang in hand, then has it no more, and nothing was recorded.
TEST_F(MigrationRoundsTest, WhatIsInHandIsUnderWayAndWhatIsNotIsDecidedAnew) {
  Snapshot<MovesReport> moves;
  std::vector<std::uint64_t> made;
  MigrationRounds rounds(Sources(&moves, [&](auto report) { made.push_back(report->rounds); }),
                         events_);
  SetMode(MigrationMode::kEnforce);
  Degrade();
  const auto step = [&] {
    clock_.now += rounds.interval();
    rounds.Step();
    return rounds.report().Get()->gangs.at(0).verdict.reason;
  };
  while (step() != MigrationReason::kMove) {
  }
  const std::uint64_t decided = rounds.report().Get()->rounds;
  EXPECT_EQ(made.back(), decided);
  MovesReport report{.acts = true, .round_seen = decided - 1};
  moves.Publish(report);
  EXPECT_EQ(step(), MigrationReason::kMoving) << "it was not heard of yet";
  report.round_seen = decided;
  report.open.push_back({.gang = rounds.report().Get()->gangs.at(0).gang.key});
  moves.Publish(report);
  EXPECT_EQ(step(), MigrationReason::kMoving);
  report.open.clear();
  moves.Publish(report);
  EXPECT_EQ(step(), MigrationReason::kMove);
  report.declined[rounds.report().Get()->gangs.at(0).gang.key] = {.until = {}, .why = "no right"};
  report.round_seen = rounds.report().Get()->rounds;
  moves.Publish(report);
  EXPECT_EQ(step(), MigrationReason::kNotMovable);
}

// A move of a job that has finished does not hold back others until it is forgotten.
TEST_F(MigrationRoundsTest, OfAJobThatIsNotSeenAnyMoreItIsKnownWhatBecameOfItsMove) {
  Snapshot<MovesReport> moves;
  MigrationRounds rounds(Sources(&moves), events_);
  SetMode(MigrationMode::kEnforce);
  Degrade();
  MovesReport report{.acts = true};
  report.open.push_back({.gang = {"job", "ml", "gone", {}},
                         .record = {.number = 1,
                                    .step = MoveStep::kCheckpoint,
                                    .began = clock_.WallNow(),
                                    .since = clock_.WallNow(),
                                    .from = {{"hk", 2}},
                                    .to = {{"sg", 2}}}});
  moves.Publish(report);
  const auto step = [&] {
    clock_.now += rounds.interval();
    rounds.Step();
    return rounds.report().Get()->gangs.at(0).verdict.reason;
  };
  MigrationReason reason = MigrationReason::kSaving;
  for (int round = 0; round < 720; ++round) reason = step();
  EXPECT_EQ(reason, MigrationReason::kLimitNamespace);
  report.ended.push_back({.gang = report.open[0].gang,
                          .record = report.open[0].record,
                          .text = "its owner is gone",
                          .at = clock_.now});
  report.open.clear();
  moves.Publish(report);
  EXPECT_EQ(step(), MigrationReason::kMove);
}

TEST_F(MigrationRoundsTest, TheModeIsLive) {
  Degrade();
  EXPECT_EQ(After(Seconds(3600)).verdict.reason, MigrationReason::kDryRun);
  SetMode(MigrationMode::kOff);
  const GangReport off = After(Seconds(5));
  EXPECT_EQ(off.verdict.reason, MigrationReason::kOff);
  EXPECT_EQ(off.verdict.paid, Nanoseconds(0));
  SetMode(MigrationMode::kDryRun);
  EXPECT_EQ(After(Seconds(60)).verdict.reason, MigrationReason::kSaving);
}

TEST_F(MigrationRoundsTest, WhoDoesNotLeadKeepsHisMetersWarmAndIsSilent) {
  leadership_.Publish({});
  Degrade();
  EXPECT_EQ(After(Seconds(3600)).verdict.reason, MigrationReason::kDryRun);
  EXPECT_THAT(events_.reasons, IsEmpty());
  leadership_.Publish(Leadership::Standalone());
  EXPECT_EQ(After(Seconds(5)).verdict.reason, MigrationReason::kDryRun);
  EXPECT_THAT(events_.reasons, ElementsAre("MigrationAdvised"));
}

TEST_F(MigrationRoundsTest, AClusterThatIsNotHeardOfIsNoReasonToMove) {
  extender::Setup setup = *setup_.Get();
  setup.cluster_stale_after = Seconds(90);
  setup_.Publish(setup);
  Degrade();
  EXPECT_EQ(After(Seconds(200)).verdict.reason, MigrationReason::kStale);
  EXPECT_FALSE(rounds_.report().Get()->cluster_fresh);
}

}  // namespace
}  // namespace fairlead::extender
