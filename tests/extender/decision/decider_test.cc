#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "extender/cluster/cluster_state.h"
#include "tests/extender/decision/three_sites.h"

namespace fairlead::extender {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST_F(DeciderTest, AGangThatLeavesFindsItsOwnPlacesAndNothingThatOthersArePromised) {
  ClusterState state("site");
  for (const std::string name : {"hk1", "hk2", "tyo1", "tyo2"}) {
    ClusterNode node;
    node.name = name;
    node.allocatable.extended["rdma/hca"] = 1;
    node.pods = 10;
    node.labels = LabelSet{{"site", name.substr(0, name.size() - 1)}};
    state.Upsert(node);
  }
  ClusterPod pod;
  pod.uid = "mine";
  pod.namespace_name = "ml";
  pod.node = "hk1";
  pod.needs.requests.extended["rdma/hca"] = 1;
  pod.gang = Gang{.key = {"kueue", "ml", "mine", {}}, .size = 1, .rank = {}};
  state.Upsert(pod);
  cluster_.Publish(state.Publish({}));
  const auto view = cluster_.Get();
  const GangView& gang = *view->gangs().front();
  const auto room = [&] { return decider_.RoomOfWhole(gang, view).room; };
  EXPECT_THAT(room(), UnorderedElementsAre(Pair("hk", 2U), Pair("tyo", 2U)));
  Prioritize(Member(0), {"tyo1", "tyo2"});
  EXPECT_THAT(room(), UnorderedElementsAre(Pair("hk", 2U), Pair("tyo", 1U)));
  clock_.now_ += Seconds(61);
  EXPECT_THAT(room(), UnorderedElementsAre(Pair("hk", 2U), Pair("tyo", 2U)))
      << "what is believed ends, whether or not somebody asks";
}

TEST_F(DeciderTest, APodWithoutAGangScoresTheSameEverywhere) {
  PodFacts pod;
  pod.uid = "x";
  EXPECT_THAT(Prioritize(pod, {"hk1", "sg1", "tyo2"}), Each(5));
  EXPECT_THAT(Prioritize(PodFacts{}, {}), IsEmpty());
}

TEST_F(DeciderTest, LaterMembersFollowTheFirstAndThenTheNearestLine) {
  Prioritize(Member(0), {"hk1"});
  const std::vector<double> second = Prioritize(Member(1), {"hk2", "sg1", "tyo1"});
  EXPECT_GT(second[0], second[1]);
  EXPECT_GE(second[1], second[2]);
  const std::vector<double> third = Prioritize(Member(2), {"sg1", "tyo1"});
  EXPECT_GT(third[0], third[1]) << "hk is full, and sg is nearer to it than tyo";
  const auto newest = log_.Newest().front();
  EXPECT_EQ(newest->members.at("hk"), 2U);
  EXPECT_THAT(newest->sites, SizeIs(2));
  EXPECT_EQ(newest->assumed_node, "sg1");
}

TEST_F(DeciderTest, NodesOfOneSiteScoreTheSame) {
  Prioritize(Member(0), {"hk1"});
  const std::vector<double> scores = Prioritize(Member(1), {"sg1", "sg2", "hk2"});
  EXPECT_EQ(scores[0], scores[1]);
}

TEST_F(DeciderTest, ANodeOfNoKnownSiteIsNeutral) {
  Prioritize(Member(0), {"hk1"});
  EXPECT_EQ(Prioritize(Member(1), {"stranger", "hk2"})[0], 5);
  EXPECT_EQ(log_.Newest().front()->nodes_without_site, 1U);
}

TEST_F(DeciderTest, TheSiteLabelOfAFullNodeCountsWhereTheInventoryHasNone) {
  Prioritize(Member(0), {"hk1"});
  const std::vector<OfferedNode> nodes{{.name = "new", .site = "hk", .raw = {}},
                                       {.name = "tyo1", .site = {}, .raw = {}}};
  const std::vector<double> scores = decider_.Prioritize(Member(1), nodes);
  EXPECT_GT(scores[0], scores[1]);
}

TEST_F(DeciderTest, AskingAgainGivesTheSameAnswer) {
  Prioritize(Member(0), {"hk1"});
  const auto first = Prioritize(Member(1), {"hk2", "sg1", "tyo1"});
  const std::string assumed = log_.Newest().front()->assumed_node;
  EXPECT_EQ(Prioritize(Member(1), {"hk2", "sg1", "tyo1"}), first);
  EXPECT_EQ(log_.Newest().front()->assumed_node, assumed);
}

TEST_F(DeciderTest, MembersAreForgottenAfterTheTtl) {
  Prioritize(Member(0), {"hk1"});
  clock_.now_ += Seconds(60);
  Prioritize(Member(1), {"hk2", "sg1"});
  EXPECT_THAT(log_.Newest().front()->members, IsEmpty());
}

TEST_F(DeciderTest, ASingleNodeLeftByFilterIsAssumed) {
  EXPECT_THAT(decider_.Filter(Member(0), Offer({"hk1"})).why_not, ElementsAre(0));
  Prioritize(Member(1), {"hk2", "tyo1"});
  EXPECT_EQ(log_.Newest().front()->members.at("hk"), 1U);
}

TEST_F(DeciderTest, FilterRefusesALineThatIsDown) {
  TakeDown("hk", "tyo");
  Prioritize(Member(0), {"hk1"});
  const FilterDecision decision = decider_.Filter(Member(1), Offer({"hk2", "tyo1", "sg1", "tyo2"}));
  EXPECT_THAT(decision.why_not, ElementsAre(0, 1, 0, 1));
  ASSERT_THAT(decision.refusals, SizeIs(1));
  EXPECT_TRUE(decision.refusals[0].final);
  EXPECT_THAT(decision.refusals[0].sentence, HasSubstr("tyo"));
}

TEST_F(DeciderTest, FilterNeverRefusesAPodWithoutAGang) {
  TakeDown("hk", "tyo");
  PodFacts pod;
  pod.uid = "x";
  EXPECT_THAT(decider_.Filter(pod, Offer({"hk1", "tyo1"})).why_not, Each(0));
}

TEST_F(DeciderTest, FilterFailsOpenWhenNoSiteWithRoomIsLeft) {
  TakeDown("hk", "tyo");
  TakeDown("hk", "sg");
  Prioritize(Member(0), {"hk1"});
  Prioritize(Member(1), {"hk2"});
  // hk is full and both others are cut off: refusing them would leave nothing in the cluster.
  EXPECT_THAT(decider_.Filter(Member(2), Offer({"tyo1", "sg1"})).why_not, Contains(0));
  EXPECT_THAT(log_.Newest().front()->notes, SizeIs(1));
}

TEST_F(DeciderTest, OneRequestThatOffersOnlyCutOffNodesDoesNotFailOpen) {
  TakeDown("hk", "tyo");
  Prioritize(Member(0), {"hk1"});
  EXPECT_THAT(decider_.Filter(Member(1), Offer({"tyo1"})).why_not, ElementsAre(1));
}

TEST_F(DeciderTest, APodsOwnLimitIsKeptEvenWhenNothingIsLeft) {
  Prioritize(Member(0), {"hk1"});
  Prioritize(Member(1), {"hk2"});
  PodFacts pod = Member(2);
  pod.annotations["fairlead.dev/max-rtt"] = "1ms";
  EXPECT_THAT(decider_.Filter(pod, Offer({"sg1", "tyo1"})).why_not, Not(Contains(0U)));
}

TEST_F(DeciderTest, AnAnnotationThatCannotBeReadIsNoted) {
  PodFacts pod = Member(0);
  pod.annotations["fairlead.dev/max-rtt"] = "soon";
  Prioritize(pod, {"hk1"});
  EXPECT_THAT(log_.Newest().front()->notes, ElementsAre(HasSubstr("max-rtt")));
  ASSERT_THAT(events_.told_, Not(IsEmpty()));
  EXPECT_EQ(events_.told_[0].reason, "AnnotationIgnored");
  EXPECT_EQ(events_.told_[0].regarding.name, "train-0");
}

// Three members: hk holds two, and sg is nearest to hk.
class PlannedGang : public DeciderTest {
 protected:
  static PodFacts Member(int index) {
    PodFacts pod = DeciderTest::Member(index);
    pod.labels.clear();
    pod.annotations["scheduling.k8s.io/group-name"] = "train";
    pod.annotations["scheduling.volcano.sh/group-min-member"] = "3";
    return pod;
  }
  FilterDecision Filter(int member, std::vector<std::string_view> names) {
    return decider_.Filter(Member(member), Offer(std::move(names)));
  }
  // As the API server would, all with one HCA.
  void ShowNodes(ClusterState& state) const {
    for (const std::string_view node : all_) {
      ClusterNode facts;
      facts.name = node;
      facts.pods = 10;
      facts.allocatable.extended["rdma/hca"] = 1;
      facts.labels = LabelSet{{"site", node.substr(0, node.size() - 1)}};
      state.Upsert(std::move(facts));
    }
  }
  const std::vector<std::string_view> all_{"hk1", "hk2", "sg1", "sg2", "tyo1", "tyo2"};
};

TEST_F(PlannedGang, EveryMemberIsSentToItsSeat) {
  std::map<std::string, int> seats;
  for (int member = 0; member < 3; ++member) {
    const FilterDecision decision = Filter(member, all_);
    const std::string seat = log_.Newest().front()->seat;
    ++seats[seat];
    for (std::size_t i = 0; i < all_.size(); ++i) {
      EXPECT_EQ(decision.why_not[i] == 0, all_[i].starts_with(seat)) << all_[i];
    }
    for (const NodeRefusal& refusal : decision.refusals) {
      EXPECT_FALSE(refusal.final) << "preemption may still help";
      EXPECT_THAT(refusal.sentence, HasSubstr("(3) is planned as 2 in hk, 1 in sg"));
    }
  }
  EXPECT_THAT(seats, UnorderedElementsAre(Pair("hk", 2), Pair("sg", 1)));
}

TEST_F(PlannedGang, PrioritizePutsTheSeatFirstWhereFilterIsNotAsked) {
  std::map<std::string, int> seats;
  for (int member = 0; member < 3; ++member) {
    const std::vector<double> scores =
        decider_.Prioritize(Member(member), Offer({"hk1", "sg1", "tyo1"}));
    EXPECT_EQ(std::ranges::count(scores, 10.0), 1);
    ++seats[log_.Newest().front()->seat];
  }
  EXPECT_THAT(seats, UnorderedElementsAre(Pair("hk", 2), Pair("sg", 1)));
}

TEST_F(PlannedGang, ANodeThatTheSchedulerHasInMindIsRefusedOffThePlan) {
  Filter(0, all_);
  EXPECT_THAT(Filter(0, {"tyo1"}).why_not, ElementsAre(1));
  EXPECT_THAT(Filter(0, {"hk2"}).why_not, ElementsAre(0));
}

TEST_F(PlannedGang, TheOnlyNodeWithRoomIsAFullRequest) {
  Config config;
  for (const std::string_view node : all_) {
    config.nodes.push_back({.name = std::string(node),
                            .site = std::string(node.substr(0, node.size() - 1)),
                            .hcas = node == "tyo2" ? 1U : 0U});
  }
  cluster_.Publish(StandaloneView(config.nodes));
  EXPECT_THAT(Filter(0, {"tyo2"}).why_not, ElementsAre(0));
}

TEST_F(PlannedGang, ASeatOnALineThatIsDownIsGivenUp) {
  Prioritize(Member(0), {"hk1", "hk2"});
  Prioritize(Member(1), {"hk1", "hk2"});
  EXPECT_THAT(Filter(2, {"sg1", "sg2", "tyo1", "tyo2"}).why_not, Contains(0U));
  EXPECT_EQ(log_.Newest().front()->seat, "sg");
  TakeDown("hk", "sg");
  EXPECT_THAT(Filter(2, {"sg1", "sg2", "tyo1", "tyo2"}).why_not, Contains(0U));
  EXPECT_EQ(log_.Newest().front()->seat, "tyo");
}

TEST_F(PlannedGang, AFullRequestWithoutTheSeatsSiteMakesANewPlan) {
  Filter(0, all_);
  EXPECT_THAT(Filter(0, {"sg1", "sg2"}).why_not, Each(0U)) << "another seat of the plan";
  EXPECT_THAT(Filter(0, {"tyo1", "tyo2"}).why_not, Each(0U));
  EXPECT_EQ(log_.Newest().front()->seat, "tyo");
  ASSERT_THAT(events_.told_, SizeIs(2));
  EXPECT_THAT(events_.told_[1].note, HasSubstr("no node of the plan was offered"));
}

TEST_F(PlannedGang, AskingAgainPlansNothingAnew) {
  Filter(0, all_);
  Filter(0, all_);
  Filter(1, all_);
  ASSERT_THAT(events_.told_, SizeIs(1));
  EXPECT_EQ(events_.told_[0].reason, "GangPlanned");
  EXPECT_EQ(events_.told_[0].type, ClusterEvent::Type::kNormal);
}

TEST_F(PlannedGang, ASiteThatIsCutOffGetsNoSeat) {
  TakeDown("hk", "sg");
  Filter(0, {"hk1"});
  const FilterDecision decision = Filter(1, all_);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!all_[i].starts_with("sg")) continue;
    EXPECT_NE(decision.why_not[i], 0U) << all_[i];
  }
  EXPECT_THAT(log_.Newest().front()->plan, HasSubstr("2 in hk, 1 in tyo,"));
}

TEST_F(PlannedGang, AReplicaThatDoesNotLeadHasNoOpinion) {
  leadership_.Publish({});
  EXPECT_THAT(Filter(0, all_).why_not, Each(0U));
  EXPECT_THAT(decider_.Prioritize(Member(0), Offer(all_)), Each(5));
  EXPECT_THAT(log_.Newest().front()->notes, ElementsAre(HasSubstr("another replica leads")));
  EXPECT_THAT(events_.told_, IsEmpty());
}

TEST_F(PlannedGang, WithoutTheApiServerForTooLongThereIsNoOpinion) {
  auto setup = *setup_.Get();
  setup.cluster_stale_after = Seconds(60);
  setup_.Publish(setup);
  EXPECT_THAT(decider_.Prioritize(Member(0), Offer(all_)), Each(5)) << "never heard of";
  const auto now = clock_.Now();
  ClusterState state("site");
  ShowNodes(state);
  cluster_.Publish(state.Publish({.nodes = now, .pods = now, .jobs = now, .pod_groups = now}));
  EXPECT_THAT(decider_.Prioritize(Member(0), Offer(all_)), Contains(10));
  clock_.now_ += Seconds(61);
  EXPECT_THAT(decider_.Prioritize(Member(0), Offer(all_)), Each(5));
  EXPECT_THAT(log_.Newest().front()->notes, ElementsAre(HasSubstr("API server")));
}

TEST_F(PlannedGang, OneThatIsDeletedKeepsNoRoom) {
  ClusterState state("site");
  ShowNodes(state);
  const auto show = [&](const PodFacts& pod) {
    ClusterPod shown;
    shown.uid = pod.uid;
    shown.namespace_name = pod.namespace_name;
    shown.name = pod.name;
    shown.needs.requests.extended["rdma/hca"] = 1;
    shown.gang = RecogniseGang(pod);
    state.Upsert(std::move(shown));
  };
  PodFacts other = Member(7);
  other.annotations["scheduling.k8s.io/group-name"] = "other";
  show(Member(0));
  show(other);
  cluster_.Publish(state.Publish({}));
  Filter(0, all_);
  decider_.Filter(other, Offer(all_));
  EXPECT_THAT(log_.Newest().front()->plan, HasSubstr("1 in sg, 2 in tyo"))
      << "what the first gang was promised is left to it";
  state.RemovePod(Member(0).uid);
  state.RemovePod(other.uid);
  other.uid = "uid-8";
  other.annotations["scheduling.k8s.io/group-name"] = "next";
  show(other);
  cluster_.Publish(state.Publish({}));
  decider_.Filter(other, Offer(all_));
  EXPECT_THAT(log_.Newest().front()->plan, HasSubstr("2 in hk, 1 in sg"));
}

TEST(DecisionLog, KeepsTheNewestAndCountsOn) {
  DecisionLog log(2);
  for (const char* pod : {"a", "b", "c"}) {
    DecisionRecord record;
    record.pod = pod;
    log.Add(record);
  }
  const auto newest = log.Newest();
  ASSERT_THAT(newest, SizeIs(2));
  EXPECT_EQ(newest[0]->pod, "c");
  EXPECT_EQ(newest[0]->number, 3U);
  EXPECT_EQ(newest[1]->pod, "b");
}

}  // namespace
}  // namespace fairlead::extender
