#include "extender/migration/migration_decider.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/extender/migration/migration_fixture.h"

namespace fairlead::extender {
namespace {

// 20 min x 1.2, at half a second a second.
constexpr Nanoseconds kUntilPaid = Seconds(2 * 24 * 60);

TEST(MigrationReasons, HaveEachAWord) {
  std::set<std::string_view> words;
  for (const MigrationReason reason : kAllMigrationReasons) {
    words.insert(MigrationReasonName(reason));
  }
  EXPECT_EQ(words.size(), kAllMigrationReasons.size());
  EXPECT_FALSE(words.contains(""));
}

TEST(MigrationDecider, MovesOnceWhatWasPaidReachesTheCostWithItsMargin) {
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade();
  const MigrationVerdict saving = cluster.After(kUntilPaid);
  EXPECT_EQ(saving.reason, MigrationReason::kSaving);
  EXPECT_EQ(saving.cost, Seconds(1200));
  EXPECT_EQ(saving.threshold, Seconds(1440));
  EXPECT_EQ(saving.paid, Milliseconds(1'437'500));
  EXPECT_EQ(saving.may_change_in, Seconds(5));
  EXPECT_EQ(
      saving.sentence,
      "line hk-sg is Degraded (rtt_step) for 60 min; a step takes 100 ms here and 50 ms with "
      "3 in tyo; staying has cost 23 min so far, moving costs 20 min and pays from 24 min on");
  const MigrationVerdict move = cluster.Step().verdicts.front();
  EXPECT_EQ(move.reason, MigrationReason::kMove);
  EXPECT_EQ(move.to->members, (SiteCounts{{"tyo", 3}}));
  EXPECT_EQ(move.leaves, (std::vector<SitePair>{{"hk", "sg"}}));
  EXPECT_EQ(cluster.Step().verdicts.front().reason, MigrationReason::kMoving)
      << "it was decided, though no record shows it yet";
}

TEST(MigrationDecider, AMoveStartsTheMeterAnewAndTwoPlacesAreNotChanged) {
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade();
  ASSERT_EQ(cluster.After(kUntilPaid + Seconds(60)).reason, MigrationReason::kMove);
  PastMove move{.id = "1",
                .begun_ago = Nanoseconds(0),
                .ended_ago = std::nullopt,
                .disturbed = true,
                .from = {{"hk", 2}, {"sg", 1}},
                .to = {{"tyo", 3}},
                .left = {{"hk", "sg"}}};
  cluster.round.gangs[0].history = {move};
  EXPECT_EQ(cluster.Step().verdicts.front().reason, MigrationReason::kMoving);
  EXPECT_EQ(cluster.Step().verdicts.front().paid, Nanoseconds(0));
}

TEST(MigrationDecider, AMoveThatHasNotBegunToDisturbIsGivenUpWhereItWouldNotBeDecidedNow) {
  using Change = std::function<void(MigrationCluster&)>;
  const std::vector<std::pair<Change, std::string>> cases{
      {[](auto&) {}, ""},
      {[](auto& c) { c.Degrade(LinkState::kHealthy); }, "every line that it crosses is well"},
      {[](auto& c) { c.round.lines[0].age.reset(); }, "nothing fresh is known of line hk-sg"},
      {[](auto& c) { c.round.cluster_fresh = false; },
       "the API server has not been heard of lately"},
      {[](auto& c) { c.round.gangs[0].places.clear(); },
       "the place with 3 in tyo has no room for it any more, or is no better"},
      {[](auto& c) { c.config.mode = MigrationMode::kDryRun; }, "its mode is dry-run now"},
      {[](auto& c) { c.config.mode = MigrationMode::kOff; }, "its mode is off now"},
      {[](auto& c) {
         c.config.freezes = {{0, 24 * 60}};
       },
       "it is a freeze, in which no gang moves"},
      {[](auto& c) {
         c.round.gangs[0].history[0].disturbed = true;
         c.round.lines.clear();
       },
       ""},
  };
  for (const auto& [change, unwanted] : cases) {
    MigrationCluster cluster;
    cluster.round.gangs = {GangOf("a")};
    cluster.Degrade();
    cluster.round.gangs[0].history = {{.id = "1",
                                       .begun_ago = Seconds(60),
                                       .ended_ago = std::nullopt,
                                       .disturbed = false,
                                       .from = {{"hk", 2}, {"sg", 1}},
                                       .to = {{"tyo", 3}},
                                       .left = {{"hk", "sg"}}}};
    change(cluster);
    const MigrationVerdict verdict = cluster.Step().verdicts.front();
    EXPECT_EQ(verdict.reason, MigrationReason::kMoving);
    EXPECT_EQ(verdict.unwanted, unwanted);
  }
}

struct Blocked {
  const char* name;
  MigrationReason reason;
  std::function<void(MigrationCluster&)> change;
};

class MigrationBlock : public testing::TestWithParam<Blocked> {};

// One thing is wrong; with all else right it would have moved, as the test above shows.
TEST_P(MigrationBlock, NamesItselfAndNothingMoves) {
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade();
  GetParam().change(cluster);
  const MigrationVerdict verdict = cluster.After(kUntilPaid + Seconds(600));
  EXPECT_EQ(MigrationReasonName(verdict.reason), MigrationReasonName(GetParam().reason))
      << verdict.sentence;
  EXPECT_FALSE(verdict.sentence.empty());
}

PastMove Ended(Nanoseconds ago, SiteCounts from, std::vector<SitePair> left) {
  return {.id = "7",
          .begun_ago = ago,
          .ended_ago = ago,
          .disturbed = true,
          .from = std::move(from),
          .to = {{"hk", 2}, {"sg", 1}},
          .left = std::move(left)};
}

GangCondition& First(MigrationCluster& cluster) { return cluster.round.gangs.front(); }

const std::vector<Blocked> kBlocks{
    {"Off", MigrationReason::kOff, [](auto& c) { c.config.mode = MigrationMode::kOff; }},
    {"OptedOut", MigrationReason::kOff, [](auto& c) { First(c).wish = MigrationMode::kOff; }},
    {"NamespaceOff", MigrationReason::kOff,
     [](auto& c) {
       c.config.namespaces = {{"ml", MigrationMode::kOff}};
     }},
    {"LineOff", MigrationReason::kOff,
     [](auto& c) {
       c.config.lines = {{{"hk", "sg"}, {}, MigrationMode::kOff}};
     }},
    {"NoLever", MigrationReason::kNotMovable,
     [](auto& c) { First(c).not_movable = "nothing controls its pods"; }},
    {"Well", MigrationReason::kLinesWell, [](auto& c) { c.Degrade(LinkState::kHealthy); }},
    {"Suspect", MigrationReason::kEvidenceThin, [](auto& c) { c.Degrade(LinkState::kSuspect); }},
    {"HoldDown", MigrationReason::kEvidenceThin,
     [](auto& c) { c.round.lines[0].reason = LinkReason::kHoldDown; }},
    {"HostNoise", MigrationReason::kEvidenceThin,
     [](auto& c) { c.round.lines[0].reason = LinkReason::kHostNoise; }},
    {"FewSamples", MigrationReason::kEvidenceThin, [](auto& c) { c.round.lines[0].samples = 19; }},
    {"OneNodeOfTwo", MigrationReason::kEvidenceThin,
     [](auto& c) { c.round.lines[0].agreeing = 1; }},
    {"NoQuorumKnown", MigrationReason::kEvidenceThin, [](auto& c) { c.round.lines[0].quorum = 0; }},
    {"JustNow", MigrationReason::kEvidenceThin,
     [](auto& c) { c.round.lines[0].state_age = Seconds(29); }},
    {"StaleLine", MigrationReason::kStale, [](auto& c) { c.round.lines[0].age = Seconds(31); }},
    {"LineWithoutAge", MigrationReason::kStale, [](auto& c) { c.round.lines[0].age.reset(); }},
    {"UnknownLine", MigrationReason::kStale, [](auto& c) { c.Degrade(LinkState::kUnknown); }},
    {"LineGone", MigrationReason::kStale,
     [](auto& c) { c.round.lines.erase(c.round.lines.begin()); }},
    {"OtherLineStale", MigrationReason::kStale,
     [](auto& c) {
       First(c).crosses.push_back({"hk", "tyo"});
       c.round.lines[1].age.reset();
     }},
    {"StaleCluster", MigrationReason::kStale, [](auto& c) { c.round.cluster_fresh = false; }},
    {"NotAllReady", MigrationReason::kNotRunning, [](auto& c) { First(c).ready = 2; }},
    {"SizeNotKnown", MigrationReason::kNotRunning, [](auto& c) { First(c).size = 0; }},
    {"NegativeCost", MigrationReason::kBadCost,
     [](auto& c) { First(c).cost.restart.time = Seconds(-1); }},
    {"HugeCost", MigrationReason::kBadCost,
     [](auto& c) { First(c).cost.checkpoint_age.time = Nanoseconds::max(); }},
    {"NoPlace", MigrationReason::kNoBetterPlace, [](auto& c) { First(c).places.clear(); }},
    {"PlaceHardlyBetter", MigrationReason::kNoBetterPlace,
     [](auto& c) { First(c).places[0].step_seconds = 0.0901; }},
    {"PlaceIsItsOwn", MigrationReason::kNoBetterPlace,
     [](auto& c) { First(c).places[0].members = First(c).members; }},
    {"PlaceTimeNotFinite", MigrationReason::kNoBetterPlace,
     [](auto& c) { First(c).places[0].step_seconds = 0.0 / 0.0; }},
    {"PlaceOnSuspectLine", MigrationReason::kNoBetterPlace,
     [](auto& c) {
       First(c).places[0].lines = {{"hk", "tyo"}};
       c.round.lines[1].state = LinkState::kSuspect;
     }},
    {"PlaceOnUnknownLine", MigrationReason::kNoBetterPlace,
     [](auto& c) {
       First(c).places[0].lines = {{"hk", "us"}};
     }},
    {"LittleLeft", MigrationReason::kTooLittleLeft,
     [](auto& c) { First(c).remaining = Seconds(2400); }},
    {"NearEnd", MigrationReason::kNearCompletion,
     [](auto& c) {
       First(c).remaining = Seconds(900);
       First(c).cost = {};
       c.config.margin = 0;
     }},
    {"SomeFinished", MigrationReason::kNearCompletion, [](auto& c) { First(c).succeeded = 1; }},
    {"Young", MigrationReason::kMinRuntime, [](auto& c) { First(c).running_for = Seconds(899); }},
    {"ClassRunsLonger", MigrationReason::kMinRuntime,
     [](auto& c) {
       First(c).priority_class = "long";
       c.config.classes = {{"long", {}, {}, Seconds(1'000'000)}};
     }},
    {"MovedLately", MigrationReason::kGangCooldown,
     [](auto& c) {
       First(c).history = {Ended(Seconds(3599), {{"us", 3}}, {})};
     }},
    {"MovedOften", MigrationReason::kGangMoves,
     [](auto& c) {
       for (int i = 0; i < 3; ++i) {
         First(c).history.push_back(Ended(Seconds(4000 + i), {{"us", 3}}, {}));
         First(c).history.back().id = std::to_string(i);
       }
     }},
    {"FewRetries", MigrationReason::kRetryBudget, [](auto& c) { First(c).retries_left = 1; }},
    {"WasThere", MigrationReason::kPlaceLeft,
     [](auto& c) {
       First(c).history = {Ended(Seconds(4000), {{"tyo", 3}}, {})};
     }},
    {"LeftThatLine", MigrationReason::kPlaceLeft,
     [](auto& c) {
       First(c).places[0].lines = {{"hk", "tyo"}};
       First(c).history = {Ended(Seconds(4000), {{"us", 3}}, {{"hk", "tyo"}})};
     }},
    {"OutsideWindow", MigrationReason::kOutsideWindow,
     [](auto& c) {
       c.config.windows = {{5 * 24 * 60, 60}};
     }},
    {"InFreeze", MigrationReason::kFreeze,
     [](auto& c) {
       c.config.freezes = {{0, 24 * 60}};
     }},
    {"NotLeading", MigrationReason::kNotLeading, [](auto& c) { c.round.leading = false; }},
    {"DryRun", MigrationReason::kDryRun, [](auto& c) { c.config.mode = MigrationMode::kDryRun; }},
    {"WishedDryRun", MigrationReason::kDryRun,
     [](auto& c) { First(c).wish = MigrationMode::kDryRun; }},
    {"MayNotOptIn", MigrationReason::kDryRun,
     [](auto& c) {
       c.config.mode = MigrationMode::kDryRun;
       c.config.opt_in = false;
       First(c).wish = MigrationMode::kEnforce;
     }},
};

INSTANTIATE_TEST_SUITE_P(Each, MigrationBlock, testing::ValuesIn(kBlocks),
                         [](const auto& block) { return std::string(block.param.name); });

TEST(MigrationDecider, APodMayOptInWhereTheClusterOnlyTries) {
  MigrationCluster cluster;
  cluster.config.mode = MigrationMode::kDryRun;
  cluster.round.gangs = {GangOf("a")};
  cluster.round.gangs[0].wish = MigrationMode::kEnforce;
  cluster.Degrade();
  EXPECT_EQ(cluster.After(kUntilPaid + Seconds(60)).reason, MigrationReason::kMove);
}

TEST(MigrationDecider, APolicyMovesSoonerButNotElsewhereThanToABetterPlace) {
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade(LinkState::kHealthy);
  cluster.round.gangs[0].breaches = {
      {{"hk", "sg"}, LimitKind::kRtt, Seconds(299), "p50 41 ms, maxRtt 40 ms"}};
  EXPECT_EQ(cluster.Step().verdicts.front().reason, MigrationReason::kLinesWell);
  cluster.round.gangs[0].breaches[0].broken_for = Seconds(300);
  cluster.round.lines[0].age.reset();
  EXPECT_EQ(cluster.Step().verdicts.front().reason, MigrationReason::kStale);
  cluster.round.lines[0].age = Seconds(1);
  const MigrationVerdict move = cluster.Step().verdicts.front();
  EXPECT_EQ(move.reason, MigrationReason::kMove);
  EXPECT_TRUE(move.by_policy);
  EXPECT_TRUE(
      move.sentence.starts_with("line hk-sg breaks a limit for 5 min (p50 41 ms, maxRtt 40 ms)"))
      << move.sentence;
  EXPECT_EQ(move.leaves, (std::vector<SitePair>{{"hk", "sg"}}));
}

TEST(MigrationDecider, TheMoreImportantGangHasThePlaceAndTheOtherWaits) {
  MigrationCluster cluster;
  cluster.config.limits.of_namespace = {2, 6};
  cluster.config.limits.site = {2, 6};
  cluster.config.destination_cooldown = Seconds(300);
  cluster.round.gangs = {GangOf("a"), GangOf("b")};
  cluster.round.gangs[1].priority = 5;
  cluster.Degrade();
  MigrationDecisions decisions;
  do {
    decisions = cluster.Step();
  } while (decisions.verdicts[1].reason == MigrationReason::kSaving);
  EXPECT_EQ(decisions.verdicts[1].reason, MigrationReason::kMove);
  EXPECT_EQ(decisions.verdicts[0].reason, MigrationReason::kPlaceClaimed);
  const MigrationVerdict waits = cluster.Step().verdicts[0];
  EXPECT_EQ(waits.reason, MigrationReason::kDestinationCooldown) << waits.sentence;
  EXPECT_EQ(waits.may_change_in, Seconds(295));
}

TEST(MigrationDecider, ADecisionThatCouldNotBeRecordedCountsNoLonger) {
  MigrationCluster cluster;
  cluster.config.destination_cooldown = Seconds(0);
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade();
  ASSERT_EQ(cluster.After(kUntilPaid + Seconds(60)).reason, MigrationReason::kMove);
  cluster.decider.Withdraw(cluster.round.gangs[0].key);
  EXPECT_EQ(cluster.Step().verdicts.front().reason, MigrationReason::kMove);
}

struct Limited {
  const char* name;
  MigrationReason reason;
  std::function<void(MigrationConfig&)> change;
};

class MigrationLimit : public testing::TestWithParam<Limited> {};

TEST_P(MigrationLimit, HoldsTheSecondGang) {
  MigrationCluster cluster;
  cluster.config.destination_cooldown = Seconds(0);
  cluster.config.limits = {Seconds(3600), {5, 9}, {5, 9}, {5, 9}};
  GetParam().change(cluster.config);
  cluster.round.gangs = {GangOf("a"), GangOf("b")};
  cluster.round.gangs[1].places = {{.members = {{"us", 3}}, .step_seconds = 0.05, .lines = {}}};
  cluster.round.gangs[0].priority = 1;
  cluster.Degrade();
  MigrationDecisions decisions;
  do {
    decisions = cluster.Step();
  } while (decisions.verdicts[0].reason == MigrationReason::kSaving);
  EXPECT_EQ(decisions.verdicts[0].reason, MigrationReason::kMove);
  EXPECT_EQ(MigrationReasonName(decisions.verdicts[1].reason),
            MigrationReasonName(GetParam().reason))
      << decisions.verdicts[1].sentence;
}

const std::vector<Limited> kLimits{
    {"NotAtAll", MigrationReason::kMove, [](auto&) {}},
    {"ClusterAtOnce", MigrationReason::kLimitCluster,
     [](auto& c) { c.limits.cluster.concurrent = 1; }},
    {"ClusterInWindow", MigrationReason::kLimitCluster,
     [](auto& c) { c.limits.cluster.per_window = 1; }},
    {"Site", MigrationReason::kLimitSite, [](auto& c) { c.limits.site.concurrent = 1; }},
    {"Namespace", MigrationReason::kLimitNamespace,
     [](auto& c) { c.limits.of_namespace.concurrent = 1; }},
};

INSTANTIATE_TEST_SUITE_P(Each, MigrationLimit, testing::ValuesIn(kLimits),
                         [](const auto& limit) { return std::string(limit.param.name); });

TEST(MigrationDecider, EverythingIsHeldWhileASiteIsCutOffAndWhatWasPaidThenIsForgotten) {
  MigrationCluster cluster;
  cluster.round.gangs = {GangOf("a")};
  cluster.Degrade();
  cluster.round.lines[2] = LineOf("sg", "tyo", LinkState::kDown);
  MigrationDecisions decisions;
  for (Nanoseconds passed{}; passed < kUntilPaid + Seconds(60); passed += Seconds(5)) {
    decisions = cluster.Step();
    ASSERT_TRUE(decisions.held);
  }
  EXPECT_EQ(decisions.held_why, "none of the 2 lines of sg is well");
  EXPECT_EQ(decisions.verdicts[0].reason, MigrationReason::kBreaker);
  cluster.round.lines[2] = LineOf("sg", "tyo");
  for (int i = 0; i < 119; ++i) ASSERT_TRUE(cluster.Step().held) << i;
  decisions = cluster.Step();
  EXPECT_EQ(decisions.breaker, MassBreaker::Change::kClosed);
  EXPECT_EQ(decisions.verdicts[0].reason, MigrationReason::kSaving);
  EXPECT_EQ(cluster.Step().verdicts[0].paid, Nanoseconds(0));
}

TEST(MigrationDecider, TwoHundredGangsGetAVerdictEach) {
  MigrationCluster cluster;
  for (int i = 0; i < 200; ++i) cluster.round.gangs.push_back(GangOf(std::to_string(i)));
  EXPECT_EQ(cluster.Step().verdicts.size(), 200U);
}

}  // namespace
}  // namespace fairlead::extender
