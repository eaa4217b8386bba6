// Whatever happened in whatever order, the view is that of the objects that remain.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "extender/cluster/cluster_state.h"

namespace fairlead::extender {
namespace {

class World {
 public:
  explicit World(std::uint32_t seed) : random_(seed) {}

  void Step(ClusterState& state) {
    switch (Pick(12)) {
      case 0: {
        ClusterNode node = RandomNode();
        state.Upsert(node);
        nodes_[node.name] = node;
        break;
      }
      case 1: {
        const std::string name = "n" + std::to_string(Pick(6));
        state.RemoveNode(name);
        nodes_.erase(name);
        break;
      }
      case 2: {
        BatchJob job = RandomJob();
        state.Upsert(job);
        jobs_[job.uid] = job;
        break;
      }
      case 3: {
        const std::string uid = "j" + std::to_string(Pick(4));
        state.RemoveJob(uid);
        jobs_.erase(uid);
        break;
      }
      case 4: {
        PodGroup group;
        group.kind = PodGroupKind::kVolcano;
        group.namespace_name = "ml";
        group.name = "g" + std::to_string(Pick(2));
        group.min_members = Pick(5);
        if (Pick(2) == 0) group.controller = {"Job", "x", "j" + std::to_string(Pick(4)), true};
        state.Upsert(group);
        groups_[group.name] = group;
        break;
      }
      case 5: {
        const std::string name = "g" + std::to_string(Pick(2));
        state.RemovePodGroup(PodGroupKind::kVolcano, "ml", name);
        groups_.erase(name);
        break;
      }
      case 6: {
        const std::string uid = "p" + std::to_string(Pick(20));
        state.RemovePod(uid);
        pods_.erase(uid);
        break;
      }
      case 7:
        ReplaceAll(state);
        break;
      default: {
        ClusterPod pod = RandomPod();
        state.Upsert(pod);
        pods_[pod.uid] = pod;
        break;
      }
    }
  }

  void ReplaceAll(ClusterState& state) const {
    state.Replace(Values(pods_));
    state.Replace(Values(nodes_));
    state.Replace(PodGroupKind::kVolcano, Values(groups_));
    state.Replace(Values(jobs_));
  }

 private:
  template <class Map>
  static std::vector<typename Map::mapped_type> Values(const Map& map) {
    std::vector<typename Map::mapped_type> values;
    for (const auto& [key, value] : map) values.push_back(value);
    return values;
  }
  std::uint32_t Pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  ClusterNode RandomNode() {
    ClusterNode node;
    node.name = "n" + std::to_string(Pick(6));
    node.pods = 10;
    node.allocatable.extended["rdma/hca"] = Pick(9);
    const std::string site = "s" + std::to_string(Pick(3));
    if (Pick(4) > 0) node.labels = LabelSet{{"site", site}};
    node.ready = Pick(3) > 0;
    return node;
  }

  BatchJob RandomJob() {
    BatchJob job;
    job.namespace_name = "ml";
    job.uid = "j" + std::to_string(Pick(4));
    job.name = job.uid;
    job.parallelism = Pick(4);
    job.finished = Pick(4) == 0;
    job.succeeded = Pick(3);
    if (Pick(2) == 0) job.moves = RecordedMoves(std::to_string(Pick(2)));
    if (Pick(2) == 0) {
      job.controller = {"JobSet", "set", "s" + std::to_string(Pick(2)), true};
      job.jobset = GangKey{"jobset", "ml", job.controller.uid, std::to_string(Pick(2))};
    }
    return job;
  }

  ClusterPod RandomPod() {
    ClusterPod pod;
    pod.uid = "p" + std::to_string(Pick(20));
    pod.name = pod.uid;
    pod.namespace_name = "ml";
    if (Pick(3) > 0) pod.node = "n" + std::to_string(Pick(6));
    pod.finished = Pick(8) == 0;
    pod.terminating = Pick(8) == 0;
    pod.ready = Pick(2) == 0;
    if (pod.ready && Pick(8) != 0) pod.ready_since = WallTime(Seconds(Pick(100)));
    pod.wishes.priority = static_cast<std::int32_t>(Pick(2));
    if (Pick(2) == 0) pod.wishes.last_checkpoint = WallTime(Seconds(Pick(100)));
    pod.needs.requests.milli_cpu = Pick(3);
    if (Pick(2) == 0) pod.needs.requests.extended["rdma/hca"] = Pick(3);
    const std::string job = "j" + std::to_string(Pick(4));
    if (Pick(4) > 0) pod.controller = {"Job", job, job, true};
    Gang gang;
    switch (Pick(4)) {
      case 0:
        return pod;
      case 1:
        gang.key = {"job", "ml", job, {}};
        break;
      case 2:
        gang.key = {"volcano", "ml", "g" + std::to_string(Pick(2)), std::to_string(Pick(2))};
        break;
      default:
        gang.key = {"jobset", "ml", "s" + std::to_string(Pick(2)), std::to_string(Pick(2))};
        break;
    }
    if (Pick(2) == 0) gang.size = Pick(6);
    if (Pick(2) == 0) gang.rank = Pick(6);
    pod.gang = gang;
    return pod;
  }

  std::mt19937 random_;
  std::map<std::string, ClusterNode> nodes_;
  std::map<std::string, ClusterPod> pods_;
  std::map<std::string, PodGroup> groups_;
  std::map<std::string, BatchJob> jobs_;
};

// The values that needs and wishes point to, not the pointers, are compared.
void ExpectSame(const ClusterView& a, const ClusterView& b) {
  ASSERT_TRUE(std::ranges::equal(a.nodes(), b.nodes()));
  EXPECT_EQ(a.sites(), b.sites());
  EXPECT_EQ(a.pods(), b.pods());
  EXPECT_EQ(a.pending_pods(), b.pending_pods());
  for (const NodeCapacity& node : a.nodes()) {
    ASSERT_TRUE(a.Find(node.name));
    ASSERT_TRUE(b.Find(node.name));
    EXPECT_EQ(a.SiteOf(node.name), b.SiteOf(node.name));
    EXPECT_EQ(a.facts(*a.Find(node.name)), b.facts(*b.Find(node.name)));
  }
  ASSERT_EQ(a.gangs().size(), b.gangs().size());
  for (std::size_t i = 0; i < a.gangs().size(); ++i) {
    GangView left = *a.gangs()[i];
    GangView right = *b.gangs()[i];
    EXPECT_EQ(left.needs == nullptr, right.needs == nullptr);
    if (left.needs && right.needs) {
      EXPECT_EQ(*left.needs, *right.needs);
    }
    EXPECT_EQ(left.wishes == nullptr, right.wishes == nullptr);
    if (left.wishes && right.wishes) {
      EXPECT_EQ(*left.wishes, *right.wishes);
    }
    left.needs = right.needs = nullptr;
    left.wishes = right.wishes = nullptr;
    EXPECT_EQ(left, right) << left.key.Text();
  }
}

TEST(ClusterProperty, AnySequenceOfEventsGivesTheViewOfWhatRemains) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    ClusterState state("site");
    for (int step = 0; step < 60; ++step) {
      world.Step(state);
      if (step % 7 == 0) state.Publish({});  // so that later views are made from it
      if (step % 20 != 19) continue;
      ClusterState anew("site");
      world.ReplaceAll(anew);
      ExpectSame(state.Publish({}), anew.Publish({}));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
