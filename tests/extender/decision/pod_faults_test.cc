// What a pod or its gang tells that cannot be used is said on the pod.
#include <gmock/gmock.h>

#include "extender/cluster/cluster_state.h"
#include "extender/decision/enqueue.h"
#include "tests/extender/decision/decider_fixture.h"

namespace fairlead::extender {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ClusterNode Node(const std::string& name, std::string_view site) {
  ClusterNode node;
  node.name = name;
  node.allocatable.extended["rdma/hca"] = 4;
  node.pods = 110;
  node.labels = LabelSet{{"site", site}};
  return node;
}

class PodFaults : public DeciderFixture {
 protected:
  PodFaults() {
    state_.Replace(std::vector{Node("hk1", "hk"), Node("sg1", "sg")});
    Config config;
    config.extender.kubernetes.source = ClusterSource::kInCluster;
    config.extender.kubernetes.stale = Seconds(60);
    config_ = config;
    Publish();
  }
  void Publish() {
    const MonotonicTime now = clock_.Now();
    cluster_.Publish(state_.Publish({.nodes = now, .pods = now, .jobs = now, .pod_groups = now}));
    setup_.Publish(MakeSetup(config_, cluster_.Get()->names()));
  }
  void Add(std::uint32_t parallelism) {
    BatchJob job;
    job.namespace_name = "ml";
    job.name = "train";
    job.uid = "job-1";
    job.parallelism = parallelism;
    state_.Upsert(job);
    Publish();
  }
  std::vector<double> Prioritize(const PodFacts& pod) {
    return DeciderFixture::Prioritize(pod, {"hk1", "sg1"});
  }
  // The only Event, as "reason: note".
  std::string Told() const {
    if (events_.told_.size() != 1) return std::to_string(events_.told_.size()) + " events";
    return events_.told_[0].reason + ": " + events_.told_[0].note;
  }

  ClusterState state_{"site"};
  Config config_;
};

TEST_F(PodFaults, AGangOfAbsurdSizeIsToldAndNotPlanned) {
  Add(2147483647);
  Prioritize(Member(0));
  const std::string told = Told();
  EXPECT_THAT(told, AllOf(HasSubstr("GangSizeIgnored: the size of gang job ml/job-1 is not known"),
                          HasSubstr("its Job runs 2147483647 pods at once"),
                          HasSubstr("1 to 1000000 members")));
  EXPECT_THAT(log_.Newest()[0]->notes, ElementsAre(HasSubstr("2147483647")));
  EXPECT_THAT(log_.Newest()[0]->plan, IsEmpty());
}

TEST_F(PodFaults, TheLargestGangIsPlannedAsFarAsItFits) {
  Add(kMostGangMembers);
  EXPECT_THAT(Prioritize(Member(0)), testing::Contains(10));
  EXPECT_THAT(Told(), HasSubstr("GangPlanned"));
  EXPECT_THAT(log_.Newest()[0]->plan, HasSubstr("1000000"));
}

TEST_F(PodFaults, APodsOwnSizeThatCannotBeReadIsTold) {
  PodFacts pod = Member(0);
  pod.annotations = {{"gang.scheduling.koordinator.sh/name", "train"},
                     {"gang.scheduling.koordinator.sh/total-number", "99999999999999999999"}};
  Prioritize(pod);
  EXPECT_THAT(Told(), AllOf(HasSubstr("GangSizeIgnored"),
                            HasSubstr("gang.scheduling.koordinator.sh/total-number is "
                                      "\"99999999999999999999\"")));
}

TEST_F(PodFaults, ARequestThatCannotBeReadIsToldAndHasNoOpinion) {
  Add(2);
  PodFacts pod = Member(0);
  pod.unreadable_request = "rdma/hca \"many\"";
  EXPECT_THAT(Prioritize(pod), Each(5));
  EXPECT_THAT(Told(), AllOf(HasSubstr("RequestUnreadable: the request rdma/hca \"many\" is no "
                                      "quantity"),
                            HasSubstr("16Gi")));
}

TEST_F(PodFaults, WhatTheClusterShowsOfThePodsRequestsCounts) {
  Add(2);
  ClusterPod shown;
  shown.uid = "uid-0";
  shown.namespace_name = "ml";
  shown.name = "train-0";
  shown.gang = Gang{.key = {"job", "ml", "job-1", {}}, .size = {}, .rank = {}};
  shown.controller = {.kind = "Job", .name = "train", .uid = "job-1", .controller = true};
  shown.needs.unreadable = "cpu \"much\"";
  state_.Upsert(shown);
  Publish();
  EXPECT_THAT(Prioritize(Member(0)), Each(5));
  EXPECT_THAT(Told(), HasSubstr("RequestUnreadable: the request cpu \"much\""));
}

TEST_F(PodFaults, ANodeThatCannotBeReadGetsNoMemberButIsNoReasonToRefuseOthers) {
  ClusterNode odd = Node("hk1", "hk");
  odd.unreadable = "status.allocatable: rdma/hca \"8x\"";
  state_.Upsert(odd);
  Add(4);
  const std::vector<double> scores = Prioritize(Member(0));
  EXPECT_LT(scores[0], scores[1]) << "the gang is planned where there is room";
  EnqueueJudge judge(cluster_, links_, clock_, log_);
  JobNeed need;
  need.namespace_name = "ml";
  need.name = "large";
  need.hcas = 9;
  EXPECT_EQ(judge.Judge(need), EnqueueVote::kAbstain);
  EXPECT_THAT(log_.Newest()[0]->notes, ElementsAre(HasSubstr("what node hk1 has cannot be read")));
}

}  // namespace
}  // namespace fairlead::extender
