#include "extender/cluster/cluster_state.h"

#include <gtest/gtest.h>

#include <memory>

#include "extender/gang_plan/capacity.h"

namespace fairlead::extender {
namespace {

constexpr char kSiteLabel[] = "topology.kubernetes.io/region";

ClusterNode Node(const std::string& name, std::string_view site, std::int64_t hcas = 8) {
  ClusterNode node;
  node.name = name;
  node.allocatable.milli_cpu = 64000;
  node.allocatable.extended["rdma/hca"] = hcas;
  node.pods = 110;
  if (!site.empty()) node.labels = LabelSet{{kSiteLabel, site}, {"zone", "a"}};
  return node;
}

ClusterPod Pod(const std::string& uid, const std::string& node, std::int64_t hcas = 1) {
  ClusterPod pod;
  pod.uid = uid;
  pod.namespace_name = "ml";
  pod.name = "pod-" + uid;
  pod.node = node;
  pod.needs.requests.extended["rdma/hca"] = hcas;
  return pod;
}

ClusterPod OfJob(ClusterPod pod, const std::string& job, std::optional<std::uint32_t> rank = {}) {
  pod.gang = Gang{.key = {"job", "ml", job, {}}, .size = {}, .rank = rank};
  pod.controller = {.kind = "Job", .name = "name-" + job, .uid = job, .controller = true};
  return pod;
}

BatchJob Job(const std::string& uid, std::uint32_t parallelism) {
  BatchJob job;
  job.namespace_name = "ml";
  job.name = "name-" + uid;
  job.uid = uid;
  job.parallelism = parallelism;
  return job;
}

class ClusterStateTest : public ::testing::Test {
 protected:
  ClusterView View() { return state_.Publish({}); }
  std::int64_t FreeHcas(const std::string& node) {
    const ClusterView view = View();
    const auto place = view.Find(node);
    if (!place) return -999;
    const auto& extended = view.nodes()[*place].free.extended;
    const auto found = extended.find("rdma/hca");
    return found == extended.end() ? 0 : found->second;
  }
  std::shared_ptr<const GangView> Gang(const GangKey& key) {
    for (const auto& gang : View().gangs()) {
      if (gang->key == key) return gang;
    }
    return nullptr;
  }
  std::shared_ptr<const GangView> JobGang(const std::string& uid) {
    return Gang({"job", "ml", uid, {}});
  }

  ClusterState state_{kSiteLabel};
};

TEST_F(ClusterStateTest, KnowsNothingAtFirst) {
  const ClusterView view = View();
  EXPECT_TRUE(view.nodes().empty());
  EXPECT_TRUE(view.sites().empty());
  EXPECT_EQ(view.Find("a"), std::nullopt);
  EXPECT_EQ(view.SiteOf("a"), "");
  EXPECT_EQ(view.FindGang({"job", "ml", "j", {}}), nullptr);
  EXPECT_EQ(view.Age(MonotonicTime{}), std::nullopt);
}

TEST_F(ClusterStateTest, NodesAreFoundByNameAndSitesSorted) {
  state_.Replace(std::vector{Node("n2", "sg"), Node("n1", "hk"), Node("n3", "")});
  const ClusterView view = View();
  EXPECT_EQ(view.sites(), (std::vector<std::string>{"hk", "sg"}));
  EXPECT_EQ(view.SiteOf("n2"), "sg");
  EXPECT_EQ(view.SiteOf("n3"), "");
  ASSERT_TRUE(view.Find("n3"));
  EXPECT_EQ(view.nodes()[*view.Find("n3")].name, "n3");
  EXPECT_EQ(view.Find("n4"), std::nullopt);
  EXPECT_EQ(view.facts(*view.Find("n1")).pods, 110);
}

TEST_F(ClusterStateTest, PodsUseTheirNodeInWhateverOrderThingsCome) {
  state_.Upsert(Pod("a", "n1", 3));
  EXPECT_TRUE(View().nodes().empty());
  state_.Upsert(Node("n1", "hk"));
  EXPECT_EQ(FreeHcas("n1"), 5);
  state_.RemoveNode("n1");
  EXPECT_TRUE(View().nodes().empty());
  state_.Upsert(Node("n1", "hk"));
  EXPECT_EQ(FreeHcas("n1"), 5);
  EXPECT_EQ(View().nodes()[0].pods, 109);
}

TEST_F(ClusterStateTest, AMovedOrChangedPodChangesBothNodes) {
  state_.Replace(std::vector{Node("n1", "hk"), Node("n2", "sg")});
  state_.Upsert(Pod("a", "n1", 3));
  state_.Upsert(Pod("a", "n2", 4));
  EXPECT_EQ(FreeHcas("n1"), 8);
  EXPECT_EQ(FreeHcas("n2"), 4);
  state_.RemovePod("a");
  EXPECT_EQ(FreeHcas("n2"), 8);
  EXPECT_EQ(View().pods(), 0U);
}

TEST_F(ClusterStateTest, FinishedPodsTakeNoRoomTerminatingOnesDo) {
  state_.Upsert(Node("n1", "hk"));
  ClusterPod pod = OfJob(Pod("a", "n1", 3), "j1");
  state_.Upsert(pod);
  pod.terminating = true;
  state_.Upsert(pod);
  EXPECT_EQ(FreeHcas("n1"), 5);
  EXPECT_TRUE(JobGang("j1")->bound.empty());
  EXPECT_EQ(JobGang("j1")->terminating, 1U);
  pod.finished = true;
  state_.Upsert(pod);
  EXPECT_EQ(FreeHcas("n1"), 8);
  EXPECT_EQ(JobGang("j1"), nullptr);
}

TEST_F(ClusterStateTest, WhatCannotBeReadOfANodeOrAPodOnItLeavesItsRoomUnknown) {
  const auto known = [this] { return View().nodes()[0].room_known; };
  ClusterNode odd = Node("n1", "hk");
  odd.unreadable = "status.allocatable: cpu \"much\"";
  state_.Upsert(odd);
  EXPECT_FALSE(known());
  EXPECT_EQ(View().unreadable_nodes(), 1U);
  EXPECT_EQ(View().SiteOf("n1"), "hk") << "all else is known";
  state_.Upsert(Node("n1", "hk"));
  EXPECT_TRUE(known());
  ClusterPod pod = Pod("a", "n1");
  pod.needs.unreadable = "cpu \"much\"";
  state_.Upsert(pod);
  EXPECT_FALSE(known());
  state_.Upsert(Pod("b", "n1"));
  EXPECT_FALSE(known());
  EXPECT_EQ(View().unreadable_pods(), 1U);
  state_.RemovePod("a");
  EXPECT_TRUE(known());
  state_.Upsert(odd);
  state_.RemoveNode("n1");
  state_.Upsert(Node("n1", "hk"));
  EXPECT_TRUE(known());
  EXPECT_EQ(View().unreadable_nodes() + View().unreadable_pods(), 0U);
}

TEST_F(ClusterStateTest, NeedsThatCanBeReadStandForAGang) {
  ClusterPod odd = OfJob(Pod("a", ""), "j1");
  odd.needs.unreadable = "rdma/hca \"many\"";
  state_.Upsert(odd);
  EXPECT_EQ(JobGang("j1")->needs->unreadable, "rdma/hca \"many\"");
  state_.Upsert(OfJob(Pod("b", "n1"), "j1"));
  EXPECT_EQ(JobGang("j1")->needs->unreadable, "");
  state_.Upsert(OfJob(Pod("c", "", 4), "j1"));
  EXPECT_EQ(JobGang("j1")->needs->requests.extended.at("rdma/hca"), 4);
}

TEST_F(ClusterStateTest, GangsHaveTheirBoundAndPendingMembers) {
  state_.Replace(std::vector{Node("n1", "hk"), Node("n2", "sg")});
  state_.Upsert(OfJob(Pod("b", "n2"), "j1", 1));
  state_.Upsert(OfJob(Pod("a", "n1"), "j1", 0));
  state_.Upsert(OfJob(Pod("c", "", 7), "j1"));
  const auto gang = JobGang("j1");
  ASSERT_EQ(gang->bound.size(), 2U);
  EXPECT_EQ(gang->bound[0], (BoundMember{"a", "hk", "n1", 0}));
  EXPECT_EQ(gang->bound[1], (BoundMember{"b", "sg", "n2", 1}));
  EXPECT_EQ(gang->pending, 1U);
  EXPECT_EQ(gang->size, std::nullopt);
  EXPECT_EQ(gang->needs->requests.extended.at("rdma/hca"), 7);
  EXPECT_EQ(View().pending_pods(), 1U);
}

TEST_F(ClusterStateTest, ANodesSiteReachesItsMembers) {
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  EXPECT_EQ(JobGang("j1")->bound[0].site, "");
  state_.Upsert(Node("n1", "hk"));
  EXPECT_EQ(JobGang("j1")->bound[0].site, "hk");
  state_.Upsert(Node("n1", "sg"));
  EXPECT_EQ(JobGang("j1")->bound[0].site, "sg");
  state_.SetSiteLabel("zone");
  EXPECT_EQ(JobGang("j1")->bound[0].site, "a");
  EXPECT_EQ(View().sites(), std::vector<std::string>{"a"});
}

TEST_F(ClusterStateTest, AJobTellsTheSizeAlsoBeforeItsPods) {
  state_.Upsert(Job("j1", 4));
  EXPECT_EQ(JobGang("j1")->size, 4U);
  EXPECT_EQ(JobGang("j1")->size_source, SizeSource::kJob);
  BatchJob job = Job("j1", 4);
  job.completions = 3;
  job.suspended = true;
  state_.Upsert(job);
  EXPECT_EQ(JobGang("j1")->size, 3U);
  EXPECT_TRUE(JobGang("j1")->suspended);
  job.finished = true;
  state_.Upsert(job);
  EXPECT_EQ(JobGang("j1"), nullptr);
}

TEST_F(ClusterStateTest, AJobOfNothingTellsNoSize) {
  state_.Upsert(Job("j1", 0));
  EXPECT_EQ(JobGang("j1")->size, std::nullopt);
}

TEST_F(ClusterStateTest, ASizeThatNoGangHasIsNone) {
  constexpr std::uint32_t kAbsurd = 2147483647;
  state_.Upsert(Job("j1", kAbsurd));
  state_.Upsert(OfJob(Pod("a", ""), "j1"));
  EXPECT_EQ(JobGang("j1")->size, std::nullopt);
  EXPECT_EQ(JobGang("j1")->size_source, SizeSource::kNone);
  EXPECT_EQ(JobGang("j1")->size_fault, "its Job runs 2147483647 pods at once");
  EXPECT_EQ(View().SizeFaultOf({.key = {"job", "ml", "j1", {}}, .size = {}, .rank = {}}),
            "its Job runs 2147483647 pods at once");
  BatchJob few = Job("j1", kAbsurd);
  few.completions = 8;
  state_.Upsert(few);
  EXPECT_EQ(JobGang("j1")->size, 8U) << "never more run at once";
  EXPECT_EQ(JobGang("j1")->size_fault, "");
  state_.Upsert(Job("j1", kMostGangMembers));
  EXPECT_EQ(JobGang("j1")->size, kMostGangMembers);
  PodGroup group{.kind = PodGroupKind::kVolcano,
                 .namespace_name = "ml",
                 .name = "pg",
                 .uid = "u",
                 .min_members = kAbsurd,
                 .controller = {}};
  state_.Upsert(group);
  EXPECT_EQ(Gang({"volcano", "ml", "pg", {}})->size_fault,
            "its PodGroup asks for 2147483647 pods at once");
  EXPECT_EQ(View().SizeFaultOf({.key = {"volcano", "ml", "pg", "3"}, .size = {}, .rank = {}}),
            "its PodGroup asks for 2147483647 pods at once");
}

TEST_F(ClusterStateTest, MoreMembersThanWereToldMakeTheGangLarger) {
  state_.Upsert(Job("j1", 1));
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  state_.Upsert(OfJob(Pod("b", ""), "j1"));
  EXPECT_EQ(JobGang("j1")->size, 2U);
}

TEST_F(ClusterStateTest, PodGroupsTellTheSizeOfEveryIncarnation) {
  PodGroup group;
  group.kind = PodGroupKind::kVolcano;
  group.namespace_name = "ml";
  group.name = "train";
  group.min_members = 16;
  state_.Upsert(group);
  ClusterPod pod = Pod("a", "");
  const GangKey key{"volcano", "ml", "train", "2"};
  pod.gang = fairlead::extender::Gang{.key = key, .size = {}, .rank = {}};
  EXPECT_EQ(View().SizeOf(*pod.gang), 16U);
  state_.Upsert(pod);
  EXPECT_EQ(Gang(key)->size, 16U);
  EXPECT_EQ(Gang(key)->size_source, SizeSource::kPodGroup);
  group.min_members = 32;
  state_.Replace(PodGroupKind::kVolcano, {group});
  EXPECT_EQ(Gang(key)->size, 32U);
  state_.Replace(PodGroupKind::kCoscheduling, {});
  EXPECT_EQ(Gang(key)->size, 32U);
  state_.Replace(PodGroupKind::kVolcano, {});
  EXPECT_EQ(Gang(key)->size, std::nullopt);
  pod.gang->size = 5;
  EXPECT_EQ(View().SizeOf(*pod.gang), 5U);
  state_.Upsert(pod);
  EXPECT_EQ(Gang(key)->size, 5U);
  EXPECT_EQ(Gang(key)->size_source, SizeSource::kPod);
}

TEST_F(ClusterStateTest, TheJobsOfAJobSetAddUp) {
  const GangKey key{"jobset", "ml", "s1", "0"};
  for (const char* uid : {"j1", "j2"}) {
    BatchJob job = Job(uid, 4);
    job.jobset = key;
    job.controller = {.kind = "JobSet", .name = "set", .uid = "s1", .controller = true};
    state_.Upsert(job);
  }
  EXPECT_EQ(Gang(key)->size, 8U);
  state_.RemoveJob("j2");
  EXPECT_EQ(Gang(key)->size, 4U);
  state_.Replace(std::vector<BatchJob>{});
  EXPECT_EQ(Gang(key), nullptr);
}

ClusterPod ReadyAt(ClusterPod pod, int second) {
  pod.ready = true;
  pod.ready_since = WallTime(Seconds(second));
  return pod;
}

TEST_F(ClusterStateTest, AGangRunsSinceTheLastOfItsMembersIsReady) {
  state_.Upsert(Job("j1", 2));
  state_.Upsert(ReadyAt(OfJob(Pod("a", "n1"), "j1"), 50));
  EXPECT_EQ(JobGang("j1")->ready, 1U);
  state_.Upsert(OfJob(Pod("b", "n2"), "j1"));
  EXPECT_EQ(JobGang("j1")->running_since, std::nullopt);
  state_.Upsert(ReadyAt(OfJob(Pod("b", "n2"), "j1"), 90));
  EXPECT_EQ(JobGang("j1")->ready, 2U);
  EXPECT_EQ(JobGang("j1")->running_since, WallTime(Seconds(90)));
  ClusterPod untold = ReadyAt(OfJob(Pod("b", "n2"), "j1"), 90);
  untold.ready_since.reset();
  state_.Upsert(untold);
  EXPECT_EQ(JobGang("j1")->ready, 2U);
  EXPECT_EQ(JobGang("j1")->running_since, std::nullopt);
}

TEST_F(ClusterStateTest, TheOwnerOfAGangIsTheTopOfWhatIsKnown) {
  BatchJob job = Job("j1", 1);
  job.moves = RecordedMoves("record");
  job.succeeded = 1;
  state_.Upsert(job);
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  EXPECT_EQ(JobGang("j1")->owner.object.api_version, "batch/v1");
  EXPECT_EQ(JobGang("j1")->owner.object.name, "name-j1");
  EXPECT_EQ(JobGang("j1")->owner.moves.text(), "record");
  EXPECT_TRUE(JobGang("j1")->owner.followed);
  EXPECT_EQ(JobGang("j1")->succeeded, 1U);
  job.controller = {.kind = "JobSet", .name = "set", .uid = "s1", .controller = true};
  state_.Upsert(job);
  EXPECT_EQ(JobGang("j1")->owner.object.kind, "JobSet");
  EXPECT_FALSE(JobGang("j1")->owner.followed);
}

TEST_F(ClusterStateTest, ASuspendedJobsGangHasItsOwnerWithoutPods) {
  BatchJob job = Job("j1", 2);
  job.moves = RecordedMoves("record");
  job.suspended = true;
  state_.Upsert(job);
  EXPECT_EQ(JobGang("j1")->owner.moves.text(), "record");
  EXPECT_TRUE(JobGang("j1")->owner.followed);
  job.controller = {.kind = "JobSet", .name = "set", .uid = "s1", .controller = true};
  state_.Upsert(job);
  EXPECT_EQ(JobGang("j1")->owner.object.name, "set");
  EXPECT_FALSE(JobGang("j1")->owner.followed);
}

TEST_F(ClusterStateTest, MembersOfDifferentOwnersHaveNone) {
  for (const std::string uid : {"a", "b"}) {
    ClusterPod pod = Pod(uid, "n1");
    pod.gang = extender::Gang{.key = {"kueue", "ml", "g", {}}, .size = 2, .rank = {}};
    pod.controller = {.kind = "Thing", .name = uid, .uid = "of-" + uid, .controller = true};
    state_.Upsert(pod);
  }
  EXPECT_EQ(Gang({"kueue", "ml", "g", {}})->owner, GangOwner{});
  state_.RemovePod("b");
  EXPECT_EQ(Gang({"kueue", "ml", "g", {}})->owner.object.name, "a");
}

TEST_F(ClusterStateTest, WhatMembersWishIsJoined) {
  state_.Upsert(Job("j1", 2));
  ClusterPod first = OfJob(Pod("a", "n1"), "j1");
  first.wishes.priority = 5;
  ClusterPod second = OfJob(Pod("b", "n2"), "j1");
  second.wishes.mode = MigrationMode::kOff;
  state_.Upsert(first);
  EXPECT_EQ(JobGang("j1")->wishes->priority, 5);
  state_.Upsert(second);
  EXPECT_EQ(JobGang("j1")->wishes->priority, 0);
  EXPECT_EQ(JobGang("j1")->wishes->mode, MigrationMode::kOff);
}

TEST_F(ClusterStateTest, StrangersAreNoMembers) {
  state_.Upsert(Node("n1", "hk"));
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  ClusterPod stranger = OfJob(Pod("b", "n1"), "j1");
  stranger.controller = {};
  state_.Upsert(stranger);
  EXPECT_EQ(JobGang("j1")->bound.size(), 1U);
  EXPECT_EQ(JobGang("j1")->strangers, 1U);
  EXPECT_EQ(JobGang("j1")->stranger,
            "pod-b claims job ml/j1 by its labels, but nothing controls it");
  EXPECT_EQ(FreeHcas("n1"), 6);  // it takes its room all the same
}

TEST_F(ClusterStateTest, ClaimsAreJudgedAnewWhenOwnersBecomeKnown) {
  const GangKey key{"jobset", "ml", "s1", ""};
  ClusterPod pod = OfJob(Pod("a", "n1"), "j1");
  pod.gang->key = key;
  state_.Upsert(pod);
  EXPECT_EQ(Gang(key)->bound.size(), 1U);
  state_.Upsert(Job("j1", 1));  // which no JobSet controls
  EXPECT_EQ(Gang(key)->strangers, 1U);
  PodFacts facts;
  facts.namespace_name = "ml";
  facts.owners = {pod.controller};
  EXPECT_NE(View().MembershipFaultOf(facts, key), "");
  EXPECT_EQ(View().MembershipFaultOf(facts, {"job", "ml", "j1", {}}), "");
  state_.RemoveJob("j1");
  EXPECT_EQ(Gang(key)->strangers, 0U);
  EXPECT_EQ(View().MembershipFaultOf(facts, key), "");
}

TEST_F(ClusterStateTest, WhatDoesNotChangeIsShared) {
  state_.Replace(std::vector{Node("n1", "hk"), Node("n2", "sg")});
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  state_.Upsert(OfJob(Pod("b", "n2"), "j2"));
  const ClusterView before = View();
  EXPECT_FALSE(state_.dirty());
  state_.Upsert(OfJob(Pod("a", "n1"), "j1"));
  state_.Upsert(Node("n1", "hk"));
  EXPECT_FALSE(state_.dirty());
  EXPECT_EQ(View().nodes().data(), before.nodes().data());
  EXPECT_EQ(View().gangs().data(), before.gangs().data());
  state_.Upsert(OfJob(Pod("c", "n2"), "j2"));
  EXPECT_TRUE(state_.dirty());
  const ClusterView after = View();
  EXPECT_EQ(after.gangs()[0], before.gangs()[0]);
  EXPECT_NE(after.gangs()[1], before.gangs()[1]);
  EXPECT_EQ(before.gangs()[1]->bound.size(), 1U);
  EXPECT_EQ(after.nodes_revision(), before.nodes_revision());
  state_.Upsert(Node("n1", "hk", 4));
  EXPECT_NE(View().nodes_revision(), after.nodes_revision());
}

TEST_F(ClusterStateTest, KeptViewsDoNotChangeAndLetGoOnesAreRight) {
  state_.Replace(std::vector{Node("n1", "hk"), Node("n2", "sg")});
  std::vector<ClusterView> kept;
  for (int i = 0; i < 24; ++i) {
    state_.Upsert(Pod("p" + std::to_string(i), i % 3 == 0 ? "n1" : "n2", 1));
    ClusterView view = View();
    if (i % 5 == 0) kept.push_back(view);
    ASSERT_EQ(view.nodes()[0].free.extended.at("rdma/hca"), 8 - (i / 3 + 1)) << i;
    ASSERT_EQ(view.nodes()[1].pods, 110 - (i + 1 - (i / 3 + 1))) << i;
    if (i == 20) break;  // eight HCAs are gone then, and a resource of none is not listed
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const int i = static_cast<int>(k) * 5;
    EXPECT_EQ(kept[k].nodes()[0].free.extended.at("rdma/hca"), 8 - (i / 3 + 1)) << i;
  }
}

TEST_F(ClusterStateTest, AgeIsThatOfTheOlderOfNodesAndPods) {
  const MonotonicTime t{Seconds(100)};
  EXPECT_EQ(state_.Publish({.nodes = t, .pods = {}, .jobs = {}, .pod_groups = {}}).Age(t),
            std::nullopt);
  const ClusterView view =
      state_.Publish({.nodes = t, .pods = t + Seconds(5), .jobs = {}, .pod_groups = {}});
  EXPECT_EQ(view.Age(t + Seconds(7)), Seconds(7));
}

TEST_F(ClusterStateTest, MembersThatFitTakesTheNodesAsTheyAre) {
  state_.Replace(std::vector{Node("n1", "hk"), Node("n2", "sg")});
  state_.Upsert(Pod("a", "n1", 6));
  PodNeeds needs;
  needs.requests.extended["rdma/hca"] = 2;
  needs.node_selector = {{"zone", "a"}};
  const ClusterView view = View();
  EXPECT_EQ(MembersThatFit(needs, view.nodes()).by_node, (std::vector<std::uint32_t>{1, 4}));
}

}  // namespace
}  // namespace fairlead::extender
