#include "extender/migration_round/round_of.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "extender/relocation/move_record.h"
#include "tests/extender/migration_round/cluster_of_gangs.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class RoundOfTest : public testing::Test {
 protected:
  void Degrade(const std::string& a, const std::string& b) {
    links_.State(a, b, LinkState::kDegraded, LinkReason::kRttStep);
  }

  MigrationRound Round() {
    const ClusterView cluster = cluster_.state.Publish({});
    LinkSnapshot links = links_.Snapshot();
    for (LinkView& view : links.links) {
      view.quorum = 1;
      view.agreeing = view.state == LinkState::kHealthy ? 0 : 1;
      view.state_age = Seconds(3600);
    }
    const LineCatalogue catalogue = sample::Catalogue();
    return RoundOf({.cluster = cluster,
                    .links = links,
                    .lines = catalogue,
                    .config = config_,
                    .room_of =
                        [this](const GangView& gang) {
                          asked_.push_back(gang.key.id);
                          return WholeRoom{.room = room_, .occupancy = {}};
                        },
                    .declined = [this](const GangKey&) { return declined_; },
                    .leading = true,
                    .cluster_fresh = true,
                    .now = sample::At(5000),
                    .wall = ClusterOfGangs::Ready() + Seconds(7200)},
                   limits_);
  }
  GangCondition Only() {
    MigrationRound round = Round();
    EXPECT_EQ(round.gangs.size(), 1U);
    return round.gangs.empty() ? GangCondition{} : std::move(round.gangs.front());
  }

  ClusterOfGangs cluster_;
  sample::Links links_ = sample::Lab();
  MigrationConfig config_;
  std::string declined_;
  SiteCounts room_{{"hk", 3}, {"sg", 3}, {"tyo", 3}};
  std::vector<std::string> asked_;
  LimitWatch limits_;
};

TEST_F(RoundOfTest, TellsOfAGangWhereItIsAndWhatItCrosses) {
  cluster_.AddJob("a", {"hk1", "hk2", "sg1"});
  const GangCondition gang = Only();
  EXPECT_EQ(gang.name, "ml/a");
  EXPECT_THAT(gang.members, ElementsAre(Pair("hk", 2U), Pair("sg", 1U)));
  EXPECT_THAT(gang.crosses, ElementsAre(SitePair("hk", "sg")));
  EXPECT_GT(gang.step_seconds, 0.036);
  EXPECT_EQ(gang.size, 3U);
  EXPECT_EQ(gang.ready, 3U);
  EXPECT_EQ(gang.running_for, Seconds(7200));
  EXPECT_EQ(gang.not_movable, "");
  EXPECT_THAT(gang.places, IsEmpty());
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(RoundOfTest, LooksElsewhereForAGangOnABadLineAlone) {
  cluster_.AddJob("a", {"hk1", "sg1"});
  cluster_.AddJob("b", {"hk2", "tyo1"});
  Degrade("hk", "sg");
  const MigrationRound round = Round();
  ASSERT_EQ(round.gangs.size(), 2U);
  EXPECT_THAT(asked_, ElementsAre("uid-a"));
  EXPECT_THAT(round.gangs[1].places, IsEmpty());
  const std::vector<Place>& places = round.gangs[0].places;
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places.front().members.size(), 1U);
  for (const Place& place : places) {
    EXPECT_THAT(place.lines, Not(Contains(SitePair("hk", "sg"))));
  }
  EXPECT_LT(places.front().step_seconds, round.gangs[0].step_seconds);
  EXPECT_TRUE(std::ranges::is_sorted(places, {}, &Place::step_seconds));
}

TEST_F(RoundOfTest, NoPlaceHasALineThatIsNotKnownToBeWell) {
  cluster_.AddJob("a", {"hk1", "hk2", "hk3", "sg1"});
  room_ = {{"hk", 3}, {"sg", 1}, {"tyo", 1}};
  Degrade("hk", "sg");
  const GangCondition gang = Only();
  ASSERT_EQ(gang.places.size(), 1U);
  EXPECT_THAT(gang.places[0].members, ElementsAre(Pair("hk", 3U), Pair("tyo", 1U)));
  links_.State("hk", "tyo", LinkState::kUnknown, LinkReason::kNoData);
  EXPECT_THAT(Only().places, IsEmpty());
}

TEST_F(RoundOfTest, NoPlaceBreaksALimitOfTheGang) {
  MoveWishes wishes;
  wishes.limits.max_rtt = Milliseconds(40);
  cluster_.AddJob("a", {"hk1", "hk2", "hk3", "sg1"}, wishes);
  room_ = {{"hk", 3}, {"sg", 1}, {"tyo", 1}};
  Degrade("hk", "sg");
  EXPECT_THAT(Only().places, IsEmpty());
}

TEST_F(RoundOfTest, TellsSinceWhenALimitIsBroken) {
  MoveWishes wishes;
  wishes.limits.max_rtt = Milliseconds(30);
  cluster_.AddJob("a", {"hk1", "sg1"}, wishes);
  const GangCondition gang = Only();
  ASSERT_EQ(gang.breaches.size(), 1U);
  EXPECT_EQ(gang.breaches[0].line, SitePair("hk", "sg"));
  EXPECT_EQ(gang.breaches[0].kind, LimitKind::kRtt);
  EXPECT_THAT(asked_, ElementsAre("uid-a"));
}

TEST_F(RoundOfTest, AMemberThatIsNotReadyOrIsMissingIsNoRunningGang) {
  cluster_.AddJob("a", {"hk1", "sg1"});
  ClusterPod pod = ClusterOfGangs::Member("a", 1, "sg1");
  pod.ready = false;
  pod.ready_since.reset();
  cluster_.state.Upsert(pod);
  EXPECT_EQ(Only().ready, 1U);
  EXPECT_EQ(Only().running_for, Nanoseconds(0));
  cluster_.state.RemovePod("a-1");
  EXPECT_EQ(Only().size, 2U);
  EXPECT_EQ(Only().ready, 1U);
}

TEST_F(RoundOfTest, ReadsTheRecordOfMovesFromTheOwner) {
  MoveHistory moves;
  moves.current.number = 3;
  moves.current.step = MoveStep::kClosed;
  moves.current.outcome = MoveOutcome::kDone;
  moves.current.began = ClusterOfGangs::Ready();
  moves.current.since = ClusterOfGangs::Ready() + Seconds(60);
  moves.current.from = {{"tyo", 2}};
  moves.current.to = {{"hk", 1}, {"sg", 1}};
  cluster_.AddJob("a", {"hk1", "sg1"}, {}, WriteMoves(moves));
  const GangCondition gang = Only();
  ASSERT_EQ(gang.history.size(), 1U);
  EXPECT_EQ(gang.history[0].begun_ago, Seconds(7200));
  EXPECT_EQ(gang.history[0].from, (SiteCounts{{"tyo", 2}}));
  EXPECT_EQ(gang.not_movable, "");
}

TEST_F(RoundOfTest, SaysWhyAGangCannotBeMoved) {
  cluster_.AddJob("record", {"hk1", "sg1"}, {}, "number: nonsense");
  MoveWishes wishes;
  wishes.fault = "annotation fairlead.dev/restart-time cannot be read: no";
  cluster_.AddJob("annotation", {"hk2", "sg2"}, wishes);
  for (const std::uint32_t rank : {0U, 1U}) {
    ClusterPod pod = ClusterOfGangs::Member("x", rank, rank == 0 ? "hk3" : "sg3");
    pod.gang->key = {"kueue", "ml", "free", {}};
    pod.gang->size = 2;
    pod.controller = {};
    cluster_.state.Upsert(pod);
  }
  const MigrationRound round = Round();
  ASSERT_EQ(round.gangs.size(), 3U);
  EXPECT_EQ(round.gangs[0].not_movable, wishes.fault);
  EXPECT_THAT(round.gangs[1].not_movable, HasSubstr("record of its moves cannot be read"));
  EXPECT_THAT(round.gangs[2].not_movable, HasSubstr("nothing controls its pods"));
  EXPECT_EQ(round.gangs[2].name, "kueue ml/free");
}

TEST_F(RoundOfTest, AJobThatIsNotKnownMayHaveBeenMovedAMomentAgo) {
  for (const std::uint32_t rank : {0U, 1U}) {
    cluster_.state.Upsert(ClusterOfGangs::Member("a", rank, rank == 0 ? "hk1" : "sg1"));
  }
  EXPECT_THAT(Only().not_movable, HasSubstr("its Job is not known yet"));
}

TEST_F(RoundOfTest, AMemberOnANodeOfNoSiteIsNotMovedByGuess) {
  ClusterNode node;
  node.name = "lost";
  node.pods = 1;
  cluster_.state.Upsert(node);
  cluster_.AddJob("a", {"hk1", "lost"});
  EXPECT_THAT(Only().not_movable, HasSubstr("node of no known site"));
}

TEST_F(RoundOfTest, LeavesOutWhatIsNoGangOnTheCluster) {
  cluster_.AddJob("one", {"hk1"});
  BatchJob waiting;
  waiting.namespace_name = "ml";
  waiting.name = waiting.uid = "waiting";
  waiting.parallelism = 4;
  cluster_.state.Upsert(waiting);
  EXPECT_THAT(Round().gangs, IsEmpty());
}

TEST_F(RoundOfTest, NothingIsLookedForWhereTheModeIsOff) {
  MoveWishes wishes;
  wishes.mode = MigrationMode::kOff;
  cluster_.AddJob("a", {"hk1", "sg1"}, wishes);
  Degrade("hk", "sg");
  EXPECT_EQ(Only().wish, MigrationMode::kOff);
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(RoundOfTest, JudgesALineByItsWorseDirection) {
  cluster_.AddJob("a", {"hk1", "sg1"});
  LinkView& back = links_.At("sg", "hk");
  back.state = LinkState::kDegraded;
  back.reason = LinkReason::kRttStep;
  const auto bad = [](const LineCondition& line) { return line.state == LinkState::kDegraded; };
  const MigrationRound round = Round();
  ASSERT_EQ(round.lines.size(), 3U);
  EXPECT_EQ(std::ranges::count_if(round.lines, bad), 1);
  // A direction of which nothing fresh is known says nothing.
  back.age = Seconds(3600);
  const MigrationRound later = Round();
  EXPECT_EQ(std::ranges::count_if(later.lines, bad), 0);
}

TEST_F(RoundOfTest, MovesOfAGangWithoutPodsCountToo) {
  MoveRecord record;
  record.number = 4;
  record.step = MoveStep::kStop;
  record.by = "p1";
  record.began = record.since = ClusterOfGangs::Ready() + Seconds(7000);
  record.from = {{"hk", 2}};
  record.to = {{"sg", 2}};
  cluster_.AddJob("a", {}, {}, WriteMoves({record, {}}));
  const MigrationRound round = Round();
  EXPECT_TRUE(round.gangs.empty());
  ASSERT_EQ(round.others.size(), 1U);
  EXPECT_EQ(round.others[0].gang.id, "uid-a");
  EXPECT_EQ(round.others[0].move.id, "4");
  EXPECT_EQ(round.others[0].move.begun_ago, Seconds(200));
  EXPECT_FALSE(round.others[0].move.ended_ago);
}

TEST_F(RoundOfTest, AGangWhoseMoveCouldNotBeRecordedIsNotMovable) {
  cluster_.AddJob("a", {"hk1", "sg1"});
  declined_ = "no right to patch jobs";
  EXPECT_EQ(Only().not_movable, "no right to patch jobs");
}

TEST_F(RoundOfTest, ALineThatIsAnsweredTheOtherWayIsNotDown) {
  LinkView& there = links_.At("hk", "sg");
  there.state = LinkState::kDown;
  there.reason = LinkReason::kNoReply;
  const MigrationRound round = Round();
  EXPECT_EQ(round.lines.front().line, SitePair("hk", "sg"));
  EXPECT_EQ(round.lines.front().state, LinkState::kDegraded);
}

}  // namespace
}  // namespace fairlead::extender
