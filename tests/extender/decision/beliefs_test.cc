#include "extender/decision/beliefs.h"

#include <gmock/gmock.h>

#include "extender/cluster/cluster_state.h"

namespace fairlead::extender {
namespace {

const GangKey kGang{"job", "ml", "job-1", {}};

MonotonicTime At(int seconds) { return MonotonicTime{} + Seconds(seconds); }

Amounts Hcas(std::int64_t count) {
  Amounts amounts;
  amounts.extended["rdma/hca"] = count;
  return amounts;
}

class BeliefsTest : public testing::Test {
 protected:
  BeliefsTest() {
    for (const char* name : {"n1", "n2"}) {
      ClusterNode node;
      node.name = name;
      node.pods = 10;
      node.allocatable = Hcas(8);
      node.labels = LabelSet{{"site", "hk"}};
      state_.Upsert(std::move(node));
    }
  }

  // What is left of a node's HCAs for the pod.
  std::int64_t Left(std::string_view node, std::string_view pod) {
    const ClusterView view = state_.Publish({});
    const std::uint32_t place = *view.Find(node);
    const NodesLeft left = beliefs_.Left(view, pod);
    const NodeLeft own = beliefs_.LeftOf(view.nodes()[place], pod);
    const bool differs = !left.empty() && left[place].has_value();
    const NodeCapacity& known = view.nodes()[place];
    EXPECT_EQ(differs ? left[place]->free : known.free, own.free);
    EXPECT_EQ(differs ? left[place]->pods : known.pods, own.pods);
    return own.free.extended.at("rdma/hca");
  }

  ClusterState state_{"site"};
  Beliefs beliefs_;
};

TEST_F(BeliefsTest, TakeWhatTheyRequestButNotFromThePodItself) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Believe("b", kGang, "n1", Hcas(1), At(0));
  EXPECT_EQ(Left("n1", "c"), 4);
  EXPECT_EQ(Left("n1", "a"), 7);
  EXPECT_EQ(Left("n2", "c"), 8);
  EXPECT_EQ(beliefs_.Taken("n1", "b"), Hcas(3));
}

TEST_F(BeliefsTest, EndWithTheirGang) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Believe("b", kGang, "n2", Hcas(3), At(0));
  beliefs_.Believe("c", {"job", "ml", "job-2", {}}, "n1", Hcas(1), At(0));
  beliefs_.Forget(kGang);
  beliefs_.Forget(kGang);
  EXPECT_EQ(Left("n1", "d"), 7);
  EXPECT_EQ(Left("n2", "d"), 8);
}

TEST_F(BeliefsTest, ANewerOneSupersedes) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Believe("a", kGang, "n2", Hcas(2), At(1));
  EXPECT_EQ(Left("n1", "c"), 8);
  EXPECT_EQ(Left("n2", "c"), 6);
}

TEST_F(BeliefsTest, TellWhereTheMembersOfAGangAre) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Believe("b", kGang, "n2", Hcas(1), At(0));
  beliefs_.Believe("c", {"job", "ml", "job-2", {}}, "n2", Hcas(1), At(0));
  EXPECT_THAT(beliefs_.Members(kGang, "a"), testing::ElementsAre(testing::Pair("b", "n2")));
  EXPECT_THAT(beliefs_.Members(kGang, ""), testing::SizeIs(2));
}

TEST_F(BeliefsTest, EndByTime) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Believe("b", kGang, "n1", Hcas(1), At(30));
  beliefs_.Expire(Seconds(60), At(59));
  EXPECT_EQ(Left("n1", "c"), 4);
  beliefs_.Expire(Seconds(60), At(60));
  EXPECT_EQ(Left("n1", "c"), 7);
  beliefs_.Expire(Seconds(60), At(90));
  EXPECT_TRUE(beliefs_.empty());
}

TEST_F(BeliefsTest, EndWhenTheClusterShowsThePod) {
  beliefs_.Believe("a", kGang, "n1", Hcas(3), At(0));
  beliefs_.Compare(state_.Publish({}));
  EXPECT_FALSE(beliefs_.empty());
  ClusterPod pod;
  pod.uid = "a";
  pod.namespace_name = "ml";
  pod.name = "train-0";
  pod.node = "n1";
  pod.needs.requests = Hcas(3);
  pod.gang = Gang{.key = kGang, .size = {}, .rank = {}};
  pod.controller = {.kind = "Job", .name = "train", .uid = "job-1", .controller = true};
  state_.Upsert(std::move(pod));
  beliefs_.Compare(state_.Publish({}));
  EXPECT_TRUE(beliefs_.empty());
  EXPECT_EQ(Left("n1", "c"), 5) << "counted once";
}

TEST_F(BeliefsTest, APodWithoutUidAndANodeThatIsUnknownAreHarmless) {
  beliefs_.Believe("", kGang, "n1", Hcas(3), At(0));
  EXPECT_TRUE(beliefs_.empty());
  beliefs_.Believe("a", kGang, "n9", Hcas(3), At(0));
  EXPECT_EQ(Left("n1", "c"), 8);
}

}  // namespace
}  // namespace fairlead::extender
