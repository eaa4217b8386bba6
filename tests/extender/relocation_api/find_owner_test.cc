// Who controls a gang at the top, and whose moves are open.
#include "tests/extender/relocation_api/api_bench.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kJobSets = "jobset.x-k8s.io/v1alpha2";
constexpr auto kTrainJobs = "trainer.kubeflow.org/v1alpha1";

class FindOwnerTest : public ApiBench {
 protected:
  // Job train of JobSet train of TrainJob train.
  void PutChain() {
    PutJob({{"metadata", {{"ownerReferences", Owned(kJobSets, "JobSet", "train", "u-JobSet")}}}});
    api_.Put(
        "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets/train",
        Object(Target(kJobSets, "JobSet"),
               {{"metadata",
                 {{"ownerReferences", Owned(kTrainJobs, "TrainJob", "train", "u-TrainJob")}}}}));
    PutTop({{"metadata", {{"annotations", {{"fairlead.dev/moves", "record"}}}}}});
  }
  void PutTop(const Json& more) {
    api_.Put("/apis/trainer.kubeflow.org/v1alpha1/namespaces/ml/trainjobs/train",
             Object(Target(kTrainJobs, "TrainJob"), more));
  }
  Result<TopOwner> Find() { return client_->FindOwner("ml", Target("batch/v1", "Job").owner); }
};

TEST_F(FindOwnerTest, WalksUpToWhatNothingControls) {
  PutChain();
  const auto top = Find();
  ASSERT_TRUE(top) << top.error().message;
  EXPECT_EQ(top->owner, Target(kTrainJobs, "TrainJob").owner);
  EXPECT_EQ(top->moves, "record");
  EXPECT_FALSE(top->has_workload);
  EXPECT_FALSE(top->wants_eviction);
}

TEST_F(FindOwnerTest, StopsAtAKindThatHasNoLever) {
  PutChain();
  PutTop({{"metadata", {{"ownerReferences", Owned("example.com/v1", "Sweep", "s", "s1")}}}});
  const auto top = Find();
  ASSERT_TRUE(top) << top.error().message;
  EXPECT_EQ(top->owner.kind, "Sweep");
  EXPECT_EQ(top->owner.api_version, "example.com/v1");
  EXPECT_EQ(top->moves, "");
}

TEST_F(FindOwnerTest, TellsWhatTheOwnerAsksFor) {
  PutJob({{"metadata", {{"annotations", {{"fairlead.dev/migration-lever", "evict"}}}}}});
  EXPECT_TRUE(Find().value().wants_eviction);
}

TEST_F(FindOwnerTest, TellsWhetherKueueManagesIt) {
  PutJob({{"metadata", {{"labels", {{"kueue.x-k8s.io/queue-name", "gpu"}}}}}});
  EXPECT_FALSE(Find().value().has_workload) << "there is no Kueue";
  api_.Serve("/apis/kueue.x-k8s.io/v1beta2", "workloads", "Workload");
  EXPECT_TRUE(Find().value().has_workload) << "it will have one";
  PutJob();
  EXPECT_FALSE(Find().value().has_workload);
  api_.Put("/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/workloads/w",
           {{"metadata",
             {{"name", "w"},
              {"uid", "w1"},
              {"labels", {{"kueue.x-k8s.io/job-uid", "u-Job"}}},
              {"ownerReferences", Owned("batch/v1", "Job", "train", "u-Job")}}}});
  EXPECT_TRUE(Find().value().has_workload);
}

TEST_F(FindOwnerTest, ALinkThatIsMissingOrForgedIsAnError) {
  PutChain();
  PutTop({{"metadata", {{"uid", "another"}}}});
  auto top = Find();
  ASSERT_FALSE(top);
  EXPECT_EQ(top.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(top.error().message, "TrainJob \"train\" is gone, or another one");
  PutTop({{"metadata", {{"ownerReferences", Owned("batch/v1", "Job", "train", "u-Job")}}}});
  top = Find();
  ASSERT_FALSE(top);
  EXPECT_THAT(top.error().message, HasSubstr("has more than 4 owners above it"));
}

class FindOpenTest : public ApiBench {
 protected:
  static Json Moving(MoveStep step, LeverKind lever) {
    return {{"metadata",
             {{"labels", {{"fairlead.dev/moving", "true"}}},
              {"annotations", {{"fairlead.dev/moves", RecordAt(step, lever)}}}}}};
  }
};

TEST_F(FindOpenTest, EveryKindThatIsServedIsLookedThrough) {
  const MoveTarget torch = Target("kubeflow.org/v1", "PyTorchJob");
  api_.Serve("/apis/kubeflow.org/v1", "pytorchjobs", "PyTorchJob");
  api_.Put("/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs/train",
           Object(torch, Moving(MoveStep::kStop, LeverKind::kKueue)));
  PutJob(Moving(MoveStep::kClosed, LeverKind::kSuspend));
  api_.Put("/apis/batch/v1/namespaces/ml/jobs/other",
           Object(Target("batch/v1", "Job"), {{"metadata", {{"name", "other"}}}}));
  const auto open = client_->FindOpen();
  ASSERT_TRUE(open) << open.error().message;
  ASSERT_EQ(open->moves.size(), 1U);
  const MoveTarget& target = open->moves[0].target;
  EXPECT_EQ(target.owner, torch.owner);
  EXPECT_EQ(target.namespace_name, "ml");
  EXPECT_EQ(target.lever, LeverKind::kKueue);
  EXPECT_THAT(open->moves[0].moves, HasSubstr("stop"));
  EXPECT_TRUE(open->unread.empty());
}

TEST_F(FindOpenTest, ARecordThatCannotBeReadIsStillTold) {
  PutJob({{"metadata",
           {{"labels", {{"fairlead.dev/moving", "true"}}},
            {"annotations", {{"fairlead.dev/moves", "nonsense"}}}}}});
  const auto open = client_->FindOpen();
  ASSERT_TRUE(open);
  ASSERT_EQ(open->moves.size(), 1U);
  EXPECT_EQ(open->moves[0].moves, "nonsense");
}

TEST_F(FindOpenTest, KindsThatMayNotBeListedAreTold) {
  api_.Answer("/apis/batch.volcano.sh/v1alpha1/jobs", 403,
              R"({"kind":"Status","message":"cannot list jobs.batch.volcano.sh"})");
  const auto open = client_->FindOpen();
  ASSERT_TRUE(open);
  EXPECT_THAT(open->unread, ElementsAre(HasSubstr("cannot list jobs.batch.volcano.sh")));
  api_.Answer("/apis/batch.volcano.sh/v1alpha1/jobs", 500, "{}");
  EXPECT_FALSE(client_->FindOpen());
}

}  // namespace
}  // namespace fairlead::extender
