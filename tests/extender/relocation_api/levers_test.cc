// Whole moves of owners other than a Job, their controllers played by the test.
#include <functional>
#include <ostream>

#include "extender/relocation/relocation.h"
#include "tests/extender/relocation_api/api_bench.h"

namespace fairlead::extender {
namespace {

class LeverTest : public ApiBench {
 protected:
  static MoveIntent Intent(LeverKind lever) {
    return {.number = 1,
            .lever = lever,
            .from = {{"hk", 2}},
            .to = {{"sg", 2}},
            .left = {{"hk", "sg"}},
            .checkpoint = false,
            .why = "because"};
  }

  // Carries the move on until it is over; `control` is called whenever it waits. Its outcome.
  MoveOutcome CarryOut(const MoveTarget& target, const std::function<void()>& control) {
    Relocation move("p1", Intent(target.lever));
    Moment now{.steady = MonotonicTime(Seconds(1000)), .wall = WallTime(Seconds(1'796'000'000))};
    for (int turn = 0; turn < 100; ++turn) {
      now.steady += Seconds(5);
      now.wall += Seconds(5);
      const RelocationAction action = move.Next(Facts(target), RelocationConfig{}, now);
      switch (action.kind) {
        case RelocationAction::Kind::kCall:
          move.OnOutcome(client_->Do(target, action.call), now);
          break;
        case RelocationAction::Kind::kWait:
          control();
          break;
        case RelocationAction::Kind::kClosed:
          return ReadMoves(Facts(target).owner.record).value().current.outcome;
      }
    }
    ADD_FAILURE() << "never over";
    return MoveOutcome::kNone;
  }

  void PutMembers(const std::vector<std::string>& controllers, const Json& labels,
                  const std::string& node, int generation) {
    int i = 0;
    for (const std::string& controller : controllers) {
      const std::string name = "train-" + std::to_string(i++);
      PutPod(name, controller, labels, node);
      Json pod = api_.Get(kPods + name);
      pod["metadata"]["uid"] = name + "-" + std::to_string(generation);
      api_.Put(kPods + name, pod);
    }
  }
  void RemoveMembers(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) api_.Remove(kPods + "train-" + std::to_string(i));
  }

  const std::string kPods = "/api/v1/namespaces/ml/pods/";
};

// A kind with `suspend`, and the uids of what controls each of its pods.
struct Suspended {
  std::string name;
  std::string api_version;
  std::string kind;
  std::string path;
  std::string suspend;  // JSON pointer
  std::string spec;
  std::vector<std::string> controllers;
  std::string label;

  friend void PrintTo(const Suspended& kind, std::ostream* out) { *out << kind.name; }
};

class SuspendLeverTest : public LeverTest, public testing::WithParamInterface<Suspended> {
 protected:
  // What stands between a JobSet or TrainJob and its pods.
  void PutJobs(const std::string& above) {
    const Json labels{{"jobset.sigs.k8s.io/jobset-name", "train"}};
    const auto job = [&](const std::string& name, const std::string& controller, bool complete) {
      api_.Put(
          "/apis/batch/v1/namespaces/ml/jobs/" + name,
          {{"metadata",
            {{"name", name},
             {"uid", "j-" + name},
             {"labels", labels},
             {"ownerReferences",
              Owned("jobset.x-k8s.io/v1alpha2", "JobSet", "train", controller)}}},
           {"status",
            {{"conditions", {{{"type", "Complete"}, {"status", complete ? "True" : "False"}}}}}}});
    };
    job("init", above, true);
    job("a", above, false);
    job("b", above, false);
    job("foreign", "somebody", false);
  }
};

constexpr auto kJobs = R"({"replicatedJobs":[{"name":"init","template":{"spec":{}}},
    {"name":"w","replicas":2,"template":{"spec":{}}}]})";

TEST_P(SuspendLeverTest, IsStoppedAndStartedOnce) {
  const Suspended& c = GetParam();
  const MoveTarget target = Target(c.api_version, c.kind);
  const std::string& path = c.path;
  api_.Put(path + "/train", Object(target, {{"spec", Json::parse(c.spec)}}));
  if (c.kind == "JobSet") PutJobs("u-JobSet");
  if (c.kind == "TrainJob") {
    MoveTarget set = Target("jobset.x-k8s.io/v1alpha2", "JobSet");
    api_.Put(
        "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets/train",
        Object(set,
               {{"spec", Json::parse(kJobs)},
                {"metadata",
                 {{"ownerReferences", Owned(c.api_version, c.kind, "train", target.owner.uid)}}}}));
    PutJobs("u-JobSet");
  }
  if (c.kind == "MPIJob") {
    api_.Put("/apis/batch/v1/namespaces/ml/jobs/train-launcher",
             {{"metadata",
               {{"name", "train-launcher"},
                {"uid", "j-launcher"},
                {"labels", {{"app", "train"}}},
                {"ownerReferences", Owned(c.api_version, c.kind, "train", target.owner.uid)}}}});
  }
  const Json labels{{c.label, "train"}};
  PutMembers(c.controllers, labels, "hk-0", 1);
  PutPod("other", "j-foreign", labels);
  EXPECT_EQ(Facts(target).size, 2U);
  EXPECT_EQ(Facts(target).pods.size(), 2U);
  const Json::json_pointer suspend(c.suspend);
  int started = 0;
  const MoveOutcome end = CarryOut(target, [&] {
    const bool stopped = api_.Get(path + "/train").value(suspend, false);
    if (stopped) return RemoveMembers(2);
    if (started++ == 0) PutMembers(c.controllers, labels, "sg-0", 2);
  });
  EXPECT_EQ(end, MoveOutcome::kDone);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(Facts(target).pods.at(0).site, "sg");
  EXPECT_EQ(api_.Get(path + "/train").at(suspend), false);
  EXPECT_EQ(api_.Count("PATCH", path + "/train"), 4) << "record, suspend, resume, closed";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SuspendLeverTest,
    testing::Values(Suspended{"JobSet",
                              "jobset.x-k8s.io/v1alpha2",
                              "JobSet",
                              "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets",
                              "/spec/suspend",
                              kJobs,
                              {"j-a", "j-b"},
                              "jobset.sigs.k8s.io/jobset-name"},
                    Suspended{"TrainJob",
                              "trainer.kubeflow.org/v1alpha1",
                              "TrainJob",
                              "/apis/trainer.kubeflow.org/v1alpha1/namespaces/ml/trainjobs",
                              "/spec/suspend",
                              "{}",
                              {"j-a", "j-b"},
                              "jobset.sigs.k8s.io/jobset-name"},
                    Suspended{"PyTorchJob",
                              "kubeflow.org/v1",
                              "PyTorchJob",
                              "/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs",
                              "/spec/runPolicy/suspend",
                              R"({"pytorchReplicaSpecs":{"Master":{},"Worker":{"replicas":1}}})",
                              {"u-PyTorchJob", "u-PyTorchJob"},
                              "training.kubeflow.org/job-name"},
                    Suspended{"MPIJobWithItsLauncher",
                              "kubeflow.org/v2beta1",
                              "MPIJob",
                              "/apis/kubeflow.org/v2beta1/namespaces/ml/mpijobs",
                              "/spec/runPolicy/suspend",
                              R"({"mpiReplicaSpecs":{"Launcher":{},"Worker":{"replicas":1}}})",
                              {"j-launcher", "u-MPIJob"},
                              "training.kubeflow.org/job-name"}),
    [](const auto& kind) { return kind.param.name; });

TEST_F(LeverTest, ATrainJobsForeignJobSetIsNotItsOwn) {
  const MoveTarget target = Target("trainer.kubeflow.org/v1alpha1", "TrainJob");
  api_.Put("/apis/trainer.kubeflow.org/v1alpha1/namespaces/ml/trainjobs/train", Object(target));
  EXPECT_EQ(Facts(target).size, 0U) << "none yet";
  api_.Put("/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets/train",
           Object(Target("jobset.x-k8s.io/v1alpha2", "JobSet"), {{"spec", Json::parse(kJobs)}}));
  EXPECT_EQ(Facts(target).size, 0U);
  EXPECT_TRUE(Facts(target).pods.empty());
}

class KueueLeverTest : public LeverTest, public testing::WithParamInterface<std::string> {};

TEST_P(KueueLeverTest, TheWorkloadIsDeactivatedAndActivatedOnce) {
  const MoveTarget target = Target("batch/v1", "Job", LeverKind::kKueue);
  const std::string api = "/apis/kueue.x-k8s.io/" + GetParam();
  const std::string path = api + "/namespaces/ml/workloads/job-train-1";
  const Json labels{{"batch.kubernetes.io/controller-uid", "u-Job"}};
  api_.Serve(api, "workloads", "Workload");
  const auto workload = [&](const std::string& name, const std::string& owner, bool finished) {
    return Json{
        {"metadata",
         {{"name", name},
          {"uid", name + "-uid"},
          {"labels", {{"kueue.x-k8s.io/job-uid", "u-Job"}}},
          {"ownerReferences", Owned("batch/v1", "Job", "train", owner)}}},
        {"status",
         {{"conditions", {{{"type", "Finished"}, {"status", finished ? "True" : "False"}}}}}}};
  };
  api_.Put(api + "/namespaces/ml/workloads/forged", workload("forged", "u-other", false));
  api_.Put(api + "/namespaces/ml/workloads/old", workload("old", "u-Job", true));
  api_.Put(path, workload("job-train-1", "u-Job", false));
  api_.Put("/apis/batch/v1/namespaces/ml/jobs/train",
           Object(target, {{"spec", {{"parallelism", 2}, {"completions", 2}}}}));
  PutMembers({"u-Job", "u-Job"}, labels, "hk-0", 1);
  int started = 0;
  const MoveOutcome end = CarryOut(target, [&] {
    const bool active = api_.Get(path).value("/spec/active"_json_pointer, true);
    if (!active) return RemoveMembers(2);
    if (started++ == 0) PutMembers({"u-Job", "u-Job"}, labels, "sg-0", 2);
  });
  EXPECT_EQ(end, MoveOutcome::kDone);
  EXPECT_EQ(api_.Get(path)["spec"]["active"], true);
  EXPECT_EQ(api_.Get(path)["metadata"]["annotations"]["fairlead.dev/move-marker"], "1 started");
  EXPECT_EQ(api_.Count("PATCH", path), 2);
}

INSTANTIATE_TEST_SUITE_P(Versions, KueueLeverTest, testing::Values("v1beta1", "v1beta2"),
                         [](const auto& version) { return version.param; });

TEST_F(LeverTest, TwoWorkloadsOfOneJobAreTooMany) {
  api_.Serve("/apis/kueue.x-k8s.io/v1beta2", "workloads", "Workload");
  const MoveTarget target = Target("batch/v1", "Job", LeverKind::kKueue);
  PutJob();
  for (const std::string name : {"a", "b"}) {
    api_.Put("/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/workloads/" + name,
             {{"metadata",
               {{"name", name},
                {"uid", name},
                {"labels", {{"kueue.x-k8s.io/job-uid", "u-Job"}}},
                {"ownerReferences", Owned("batch/v1", "Job", "train", "u-Job")}}}});
  }
  EXPECT_EQ(Facts(target).forbidden,
            "it has 2 Workloads of Kueue that have not finished, and one is expected");
}

TEST_F(LeverTest, AWorkloadThatIsAnotherOneIsNotChanged) {
  api_.Serve("/apis/kueue.x-k8s.io/v1beta2", "workloads", "Workload");
  ApiCall call;
  call.kind = CallKind::kSetActive;
  call.uid = "w1";
  const MoveTarget target = Target("batch/v1", "Job", LeverKind::kKueue);
  EXPECT_EQ(client_->Do(target, call).result, CallResult::kNotFound);
  EXPECT_EQ(api_.Count("PATCH", ""), 0);
}

TEST_F(LeverTest, AVolcanoJobIsRestartedByOneCommand) {
  const MoveTarget target = Target("batch.volcano.sh/v1alpha1", "Job", LeverKind::kVolcano);
  const std::string path = "/apis/batch.volcano.sh/v1alpha1/namespaces/ml/jobs/train";
  const std::string commands = "/apis/bus.volcano.sh/v1alpha1/namespaces/ml/commands";
  api_.Serve("/apis/bus.volcano.sh/v1alpha1", "commands", "Command");
  api_.Put(commands + "/of-others",
           {{"metadata", {{"name", "of-others"}}}, {"target", {{"uid", "u-Job"}}}});
  api_.Put(path, Object(target, Json::parse(R"({"spec":{"maxRetry":3,"tasks":[{"replicas":2}]},
      "status":{"state":{"phase":"Running"},"version":0,"retryCount":0}})")));
  const Json labels{{"volcano.sh/job-name", "train"}};
  PutMembers({"u-Job", "u-Job"}, labels, "hk-0", 1);
  const std::string command = commands + "/fairlead-move-1-" + PodPrint("u-Job");
  int seen = 0;
  const MoveOutcome end = CarryOut(target, [&] {
    if (api_.Count("POST", "/commands") == 0) return;
    EXPECT_EQ(Facts(target).command_waits, seen == 0);
    if (seen++ > 0) return;
    EXPECT_EQ(api_.Get(command)["action"], "RestartJob");
    api_.Remove(command);
    Json job = api_.Get(path);
    job["status"]["version"] = 1;
    job["status"]["retryCount"] = 1;
    api_.Put(path, job);
    PutMembers({"u-Job", "u-Job"}, labels, "sg-0", 2);
  });
  EXPECT_EQ(end, MoveOutcome::kDone);
  EXPECT_EQ(api_.Count("POST", "/commands"), 1);
}

TEST_F(LeverTest, AStatefulSetsPodsAreFoundByItsSelector) {
  const MoveTarget target = Target("apps/v1", "StatefulSet", LeverKind::kEvict);
  const std::string path = "/apis/apps/v1/namespaces/ml/statefulsets/train";
  api_.Put(path, Object(target, Json::parse(R"({"spec":{"replicas":2,
      "selector":{"matchLabels":{"app":"train","tier":"gpu"}}}})")));
  PutMembers({"u-StatefulSet", "u-StatefulSet"}, {{"app", "train"}, {"tier", "gpu"}}, "hk-0", 1);
  PutPod("other", "u-other", {{"app", "train"}});
  EXPECT_EQ(Facts(target).pods.size(), 2U);
  EXPECT_EQ(Facts(target).size, 2U);
  EXPECT_EQ(api_.requests().at(1).query.at("labelSelector"), "app%3Dtrain%2Ctier%3Dgpu");
}

}  // namespace
}  // namespace fairlead::extender
