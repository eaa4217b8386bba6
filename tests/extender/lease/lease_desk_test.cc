// When a line is tested, and each reason why it is not.
#include "extender/lease/lease_desk.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/extender/lease/world.h"

namespace fairlead::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t kFirstId = 500;
// After the end of a test its ports tell of it for 15 s, and then its line is judged for 120 s.
constexpr Nanoseconds kUntilTheNext = Seconds(135);

LeaseReport Answer(const BandwidthLease& lease, LeaseResult result, std::uint64_t spent = 0) {
  return {.answers = {{.lease_id = lease.id, .result = result, .why = "", .spent_bytes = spent}},
          .spent = {}};
}

TEST(LeaseDesk, GrantsTrainsOverAQuietLine) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("hk1"));
  const BandwidthLease* lease = desk.LeaseOf("hk1");
  ASSERT_NE(lease, nullptr);
  EXPECT_EQ(lease->id, kFirstId);
  EXPECT_EQ(lease->peer_node, "sg1");
  EXPECT_EQ(lease->link, (LinkKey{"hk", "sg"}));
  EXPECT_EQ(lease->kind, LeaseKind::kTrain);
  EXPECT_EQ(lease->most_bytes, kTrainLeaseBytes);
  EXPECT_EQ(lease->most_bytes_per_day, world.settings.bytes_per_day);
  EXPECT_EQ(lease->duration, Seconds(60));
  EXPECT_FALSE(lease->ceiling_bytes_per_second);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty()) << "the same lease is no change";
}

// A replica that started with it may have granted many since.
TEST(LeaseDesk, ANewLeaderNumbersAboveTheLeasesOfTheOneBefore) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  desk.NumberFrom(9000);
  desk.NumberFrom(kFirstId);  // of a clock that was set back
  world.Lead(desk);
  desk.Turn(world.Question());
  EXPECT_EQ(desk.LeaseOf("hk1")->id, 9000U);
}

struct Obstacle {
  const char* name;
  std::function<void(World&)> lay;
  LeaseWait wait;
};

class Obstacles : public ::testing::TestWithParam<Obstacle> {};

// All of them keep both directions of hk-sg from being tested.
TEST_P(Obstacles, KeepTheLineFromBeingTestedAndAreNamed) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  GetParam().lay(world);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  EXPECT_THAT(LeasesOf(desk, world), IsEmpty());
  for (const auto& [from, to] : {std::pair("hk", "sg"), {"sg", "hk"}}) {
    const LeaseWait wait = desk.status().waits.at({{from, to}, LeaseKind::kTrain});
    EXPECT_EQ(LeaseWaitName(wait), LeaseWaitName(GetParam().wait)) << from;
  }
}

template <class Change>
auto OnBoth(Change change) {
  return [change](World& world) {
    for (LinkView& view : world.links.links) change(view);
  };
}

INSTANTIATE_TEST_SUITE_P(
    Each, Obstacles,
    ::testing::Values(
        Obstacle{"off", [](World& w) { w.settings.trains = false; }, LeaseWait::kOff},
        Obstacle{"follower", [](World& w) { w.leads = false; }, LeaseWait::kFollows},
        Obstacle{"no_probe", [](World& w) { w.pairs.clear(); }, LeaseWait::kNoProbe},
        Obstacle{"gangs_unknown", [](World& w) { w.gangs.known = false; },
                 LeaseWait::kGangsUnknown},
        Obstacle{"gang",
                 [](World& w) {
                   w.gangs.crossed = {{"hk", "sg"}};
                 },
                 LeaseWait::kGang},
        Obstacle{"suspect_one_way", [](World& w) { w.At("sg", "hk").state = LinkState::kSuspect; },
                 LeaseWait::kNotHealthy},
        Obstacle{"unknown_one_way", [](World& w) { w.At("hk", "sg").state = LinkState::kUnknown; },
                 LeaseWait::kNotHealthy},
        Obstacle{"down", [](World& w) { w.At("hk", "sg").state = LinkState::kDown; },
                 LeaseWait::kNotHealthy},
        Obstacle{"use_unknown", OnBoth([](LinkView& v) { v.used.reset(); }),
                 LeaseWait::kUseUnknown},
        Obstacle{"use_of_old", OnBoth([](LinkView& v) { v.used->age = Seconds(31); }),
                 LeaseWait::kUseUnknown},
        Obstacle{"in_use", OnBoth([](LinkView& v) { v.used->bytes_per_second = 25.1e6; }),
                 LeaseWait::kInUse},
        Obstacle{"rate_unknown_and_not_idle", OnBoth([](LinkView& v) {
                   v.rate.reset();
                   v.used->bytes_per_second = 2e6;
                 }),
                 LeaseWait::kRateUnknown},
        Obstacle{"bytes_spent", [](World& w) { w.settings.bytes_per_day = kTrainLeaseBytes - 1; },
                 LeaseWait::kBytesSpent},
        Obstacle{"not_due", OnBoth([](LinkView& v) {
                   v.tests = {{.source = RateSource::kTrain, .age = Seconds(599)}};
                 }),
                 LeaseWait::kNotDue}),
    [](const auto& each) { return each.param.name; });

TEST(LeaseDesk, UseJustBelowTheLimitAndAnIdleLineOfNoKnownRateAreTested) {
  World world({"hk", "sg"});
  for (LinkView& view : world.links.links) view.used->bytes_per_second = 25e6;
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  EXPECT_THAT(desk.Turn(world.Question()), SizeIs(1));

  World undeclared({"hk", "sg"});
  for (LinkView& view : undeclared.links.links) view.rate.reset();
  LeaseDesk other(kFirstId);
  undeclared.Lead(other);
  EXPECT_THAT(other.Turn(undeclared.Question()), SizeIs(1));
}

TEST(LeaseDesk, ANewLeaderWaitsForTheLeasesOfTheOneBefore) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  world.now += Seconds(105) - Nanoseconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  EXPECT_EQ(desk.status().waits.at({{"hk", "sg"}, LeaseKind::kTrain}), LeaseWait::kTakingOver);
  world.leads = false;
  desk.Turn(world.Question());
  world.leads = true;
  world.now += Seconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty()) << "it counts from when it led last";
  world.now += Seconds(105);
  EXPECT_THAT(desk.Turn(world.Question()), SizeIs(1));
}

TEST(LeaseDesk, TheLeastRecentlyTestedGoesFirstAndSitesHaveOneTestAtATime) {
  World world;
  for (LinkView& view : world.links.links) {
    const bool oldest = view.key == LinkKey{"tyo", "hk"};
    view.tests = {{.source = RateSource::kTrain, .age = Seconds(oldest ? 5000 : 1000)}};
  }
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("tyo1"));
  // Every other line of three sites shares one with it.
  EXPECT_EQ(desk.status().waits.at({{"sg", "hk"}, LeaseKind::kTrain}), LeaseWait::kOtherTest);
  EXPECT_EQ(desk.status().waits.at({{"tyo", "hk"}, LeaseKind::kTrain}), LeaseWait::kTested);
}

TEST(LeaseDesk, AnAnswerFreesTheSitesAndTheNextDirectionFollows) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  const BandwidthLease lease = *desk.LeaseOf("hk1");
  desk.Told("sg1", Answer(lease, LeaseResult::kMeasured), world.now);
  EXPECT_NE(desk.LeaseOf("hk1"), nullptr) << "another node's answer";
  EXPECT_THAT(desk.Told("hk1", Answer(lease, LeaseResult::kMeasured), world.now), SizeIs(1));
  EXPECT_EQ(desk.LeaseOf("hk1"), nullptr);
  EXPECT_EQ((desk.status().ended.at({LeaseKind::kTrain, LeaseResult::kMeasured})), 1U);
  EXPECT_THAT(desk.Told("hk1", Answer(lease, LeaseResult::kMeasured), world.now), IsEmpty());
  EXPECT_EQ((desk.status().ended.at({LeaseKind::kTrain, LeaseResult::kMeasured})), 1U)
      << "every batch repeats it";
  world.now += kUntilTheNext;
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("sg1"));
  desk.Told("sg1", Answer(*desk.LeaseOf("sg1"), LeaseResult::kMeasured), world.now);
  world.now += kUntilTheNext;
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  world.now += Seconds(600);
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("hk2")) << "the pair used longest ago";
}

TEST(LeaseDesk, WithoutAValueItIsTriedAgainSooner) {
  World world({"hk", "sg"});
  world.pairs = {{"hk1", "sg1", {"hk", "sg"}, true}};
  world.settings.train_interval = Seconds(1200);
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  desk.Told("hk1", Answer(*desk.LeaseOf("hk1"), LeaseResult::kRefused), world.now);
  world.now += Seconds(199);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  world.now += Seconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("hk1"));
}

TEST(LeaseDesk, SilenceHoldsTheSitesUntilTheLeaseHasLapsed) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  const BandwidthLease silent = *desk.LeaseOf("hk1");
  world.now += Seconds(75) - Nanoseconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
  world.now += Nanoseconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("hk1")) << "it has none now";
  EXPECT_EQ((desk.status().ended.at({LeaseKind::kTrain, kSilence})), 1U);
  world.now += kUntilTheNext;
  EXPECT_THAT(desk.Turn(world.Question()), ElementsAre("sg1"));
  EXPECT_EQ(desk.status().spent_today.at("hk-sg"), 2 * kTrainLeaseBytes)
      << "what was promised counts until it is known what became of it";
  desk.Told("hk1", Answer(silent, LeaseResult::kMeasured), world.now);
  desk.Turn(world.Question());
  EXPECT_EQ(desk.status().spent_today.at("hk-sg"), kTrainLeaseBytes);
  EXPECT_FALSE(desk.status().ended.contains({LeaseKind::kTrain, LeaseResult::kMeasured}));
}

struct Reason {
  const char* name;
  std::function<void(World&, LeaseDesk&)> arise;
};

class TakenBack : public ::testing::TestWithParam<Reason> {};

TEST_P(TakenBack, AndNothingElseIsTestedThereUntilItMustBeOver) {
  World world({"hk", "sg"});
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  ASSERT_NE(desk.LeaseOf("hk1"), nullptr);
  World after = world;
  GetParam().arise(after, desk);
  desk.Turn(after.Question());
  EXPECT_EQ(desk.LeaseOf("hk1"), nullptr);
  world.now += Seconds(75) - Nanoseconds(1);
  EXPECT_THAT(desk.Turn(world.Question()), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    When, TakenBack,
    ::testing::Values(
        Reason{"a_gang_comes",
               [](World& w, LeaseDesk&) {
                 w.gangs.crossed = {{"hk", "sg"}};
               }},
        Reason{"gangs_are_not_known", [](World& w, LeaseDesk&) { w.gangs.known = false; }},
        Reason{"the_line_degrades",
               [](World& w, LeaseDesk&) { w.At("sg", "hk").state = LinkState::kDegraded; }},
        Reason{"it_is_switched_off", [](World& w, LeaseDesk&) { w.settings.trains = false; }},
        Reason{"a_probe_goes", [](World& w, LeaseDesk&) { w.pairs.clear(); }},
        Reason{"the_stream_is_new", [](World&, LeaseDesk& desk) { desk.Interrupted("hk1"); }},
        Reason{"the_peers_stream_is_new", [](World&, LeaseDesk& desk) { desk.Interrupted("sg1"); }},
        Reason{"another_replica_leads", [](World& w, LeaseDesk&) { w.leads = false; }}),
    [](const auto& each) { return each.param.name; });

TEST(LeaseDesk, SaturationNeedsARateAndHcasAndHasACeiling) {
  World world({"hk", "sg"});
  world.settings.trains = false;
  world.settings.saturation = true;
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  const BandwidthLease* lease = desk.LeaseOf("hk1");
  ASSERT_NE(lease, nullptr);
  EXPECT_EQ(lease->kind, LeaseKind::kSaturation);
  EXPECT_EQ(lease->most_bytes, world.settings.saturation_bytes);
  EXPECT_EQ(lease->ceiling_bytes_per_second, 1.5 * 125e6);

  for (LinkView& view : world.links.links) view.rate.reset();
  LeaseDesk unknown(kFirstId);
  world.Lead(unknown);
  EXPECT_THAT(unknown.Turn(world.Question()), IsEmpty());
  EXPECT_EQ(unknown.status().waits.at({{"hk", "sg"}, LeaseKind::kSaturation}),
            LeaseWait::kRateUnknown);
  for (TestPair& pair : world.pairs) pair.has_hcas = false;
  EXPECT_THAT(unknown.Turn(world.Question()), IsEmpty());
  EXPECT_EQ(unknown.status().waits.at({{"hk", "sg"}, LeaseKind::kSaturation}), LeaseWait::kNoProbe);
}

// hk-sg alone, with tests of one kind.
class OneLine : public ::testing::TestWithParam<LeaseKind> {
 protected:
  OneLine() {
    world_.settings.trains = GetParam() == LeaseKind::kTrain;
    world_.settings.saturation = GetParam() == LeaseKind::kSaturation;
    world_.Lead(desk_);
  }
  BandwidthLease Granted() {
    const std::set<std::string> changed = desk_.Turn(world_.Question());
    EXPECT_THAT(changed, SizeIs(1));
    return changed.empty() ? BandwidthLease{} : *desk_.LeaseOf(*changed.begin());
  }

  World world_{{"hk", "sg"}};
  LeaseDesk desk_{kFirstId};
};

TEST_P(OneLine, IsTestedFromTheLeaseUntilPortsHaveForgottenTheTest) {
  EXPECT_THAT(desk_.Tested(world_.now), IsEmpty());
  const BandwidthLease lease = Granted();
  EXPECT_EQ(lease.kind, GetParam());
  EXPECT_THAT(desk_.Tested(world_.now), ElementsAre(lease.link));
  const std::set<LinkKey> saturated =
      GetParam() == LeaseKind::kSaturation ? std::set<LinkKey>{lease.link} : std::set<LinkKey>();
  EXPECT_EQ(desk_.Saturated(world_.now), saturated);
  desk_.Told("hk1", Answer(lease, LeaseResult::kMeasured), world_.now);
  EXPECT_THAT(desk_.Tested(world_.now + Seconds(14)), ElementsAre(lease.link));
  EXPECT_EQ(desk_.Saturated(world_.now + Seconds(14)), saturated);
  EXPECT_THAT(desk_.Tested(world_.now + Seconds(15)), IsEmpty());
  EXPECT_THAT(desk_.Saturated(world_.now + Seconds(15)), IsEmpty());
}

// Its probes judge it again as soon as the test cannot go on.
TEST_P(OneLine, OfWhichAGangTakesTheLeaseIsTestedUntilItsProbeAnswersOrTheLeaseMustBeOver) {
  const BandwidthLease lease = Granted();
  world_.gangs.crossed = {{"hk", "sg"}};
  desk_.Turn(world_.Question());
  EXPECT_THAT(desk_.Tested(world_.now), ElementsAre(lease.link)) << "it may still run";
  LeaseDesk silent = desk_;
  desk_.Told("hk1", Answer(lease, LeaseResult::kAborted), world_.now + Seconds(1));
  EXPECT_THAT(desk_.Tested(world_.now + Seconds(16)), IsEmpty());

  world_.now += lease.duration + Seconds(15);
  silent.Turn(world_.Question());
  EXPECT_THAT(silent.Tested(world_.now + Seconds(15)), IsEmpty());
  world_.now += kUntilTheNext + Seconds(7 * 3600);
  EXPECT_THAT(silent.Turn(world_.Question()), IsEmpty()) << "the gang still runs";
  EXPECT_THAT(silent.Tested(world_.now), IsEmpty());
}

TEST_P(OneLine, IsJudgedBetweenTwoTestsOfAnyKind) {
  desk_.Told("hk1", Answer(Granted(), LeaseResult::kMeasured), world_.now);
  world_.settings.trains = world_.settings.saturation = true;
  world_.now += kUntilTheNext - Nanoseconds(1);
  EXPECT_THAT(desk_.Turn(world_.Question()), IsEmpty());
  for (const LeaseKind kind : kAllLeaseKinds) {
    const LeaseWait wait = desk_.status().waits.at({{"sg", "hk"}, kind});
    EXPECT_EQ(LeaseWaitName(wait), "other_test") << LeaseKindName(kind);
  }
  world_.now += Nanoseconds(1);
  EXPECT_THAT(desk_.Turn(world_.Question()), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(By, OneLine, ::testing::ValuesIn(kAllLeaseKinds),
                         [](const auto& each) { return std::string(LeaseKindName(each.param)); });

TEST(LeaseDesk, WhileOneLineIsJudgedAnotherOfItsSitesIsTested) {
  World world;
  LeaseDesk desk(kFirstId);
  world.Lead(desk);
  desk.Turn(world.Question());
  const BandwidthLease first = *desk.LeaseOf("hk1");
  EXPECT_EQ(first.link, (LinkKey{"hk", "sg"}));
  desk.Told("hk1", Answer(first, LeaseResult::kMeasured), world.now);
  desk.Turn(world.Question());
  ASSERT_THAT(LeasesOf(desk, world), SizeIs(1));
  EXPECT_EQ(LeasesOf(desk, world).front().link, (LinkKey{"hk", "tyo"}));
}

}  // namespace
}  // namespace fairlead::extender
