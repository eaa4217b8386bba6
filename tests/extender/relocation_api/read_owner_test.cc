#include "extender/relocation_api/read_owner.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

OwnerFacts Wanted(const std::string& api_version, const std::string& kind) {
  return {
      .kind = kind, .name = "train", .uid = "u1", .controller = true, .api_version = api_version};
}

Json ObjectOf(const OwnerFacts& owner, const Json& more) {
  Json object{{"apiVersion", owner.api_version},
              {"kind", owner.kind},
              {"metadata", {{"name", "train"}, {"uid", "u1"}, {"resourceVersion", "7"}}},
              {"spec", Json::object()}};
  object.merge_patch(more);
  return object;
}

struct Kind {
  std::string name;
  std::string api_version;
  std::string kind;
  std::string more;  // of the object
  std::uint32_t size = 0;
  bool suspended = false;
  bool finished = false;
  std::optional<std::uint32_t> retries{};
  std::int64_t version = 0;
  LeverKind lever = LeverKind::kSuspend;
};

const std::vector<Kind> kKinds{
    {.name = "Job",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"spec":{"parallelism":4,"completions":3}})",
     .size = 3},
    {.name = "JobWithoutCounts",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"spec":{"suspend":true}})",
     .size = 1,
     .suspended = true},
    {.name = "JobOfWhichOneHasSucceeded",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"spec":{"parallelism":3,"completions":3},"status":{"succeeded":1}})",
     .size = 2},
    {.name = "JobThatHasFailed",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"status":{"conditions":[{"type":"Failed","status":"True"}]}})",
     .size = 1,
     .finished = true},
    {.name = "JobNotFailed",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"status":{"conditions":[{"type":"Failed","status":"False"}]}})",
     .size = 1},
    {.name = "JobEvictedByDefault",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"status":{"failed":2}})",
     .size = 1,
     .retries = 4,
     .lever = LeverKind::kEvict},
    {.name = "JobEvictedByIndex",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"spec":{"backoffLimit":2147483647,"backoffLimitPerIndex":3}})",
     .size = 1,
     .retries = 0,
     .lever = LeverKind::kEvict},
    {.name = "JobEvictedThatIgnoresDisruptions",
     .api_version = "batch/v1",
     .kind = "Job",
     .more = R"({"spec":{"backoffLimit":0,"podFailurePolicy":{"rules":[
        {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]}]}}})",
     .size = 1,
     .lever = LeverKind::kEvict},
    {.name = "JobSet",
     .api_version = "jobset.x-k8s.io/v1alpha2",
     .kind = "JobSet",
     .more = R"({"spec":{"suspend":true,"replicatedJobs":[
        {"name":"a","replicas":2,"template":{"spec":{"parallelism":3,"completions":3}}},
        {"name":"b","template":{"spec":{}}}]}})",
     .size = 7,
     .suspended = true},
    {.name = "JobSetThatIsComplete",
     .api_version = "jobset.x-k8s.io/v1alpha2",
     .kind = "JobSet",
     .more = R"({"status":{"conditions":[{"type":"Completed","status":"True"}]}})",
     .finished = true},
    {.name = "TrainJob",
     .api_version = "trainer.kubeflow.org/v1alpha1",
     .kind = "TrainJob",
     .more = R"({"spec":{"suspend":true},
        "status":{"conditions":[{"type":"Complete","status":"True"}]}})",
     .suspended = true,
     .finished = true},
    {.name = "PyTorchJob",
     .api_version = "kubeflow.org/v1",
     .kind = "PyTorchJob",
     .more = R"({"spec":{"runPolicy":{"suspend":true},
        "pytorchReplicaSpecs":{"Master":{},"Worker":{"replicas":3}}}})",
     .size = 4,
     .suspended = true},
    {.name = "TFJob",
     .api_version = "kubeflow.org/v1",
     .kind = "TFJob",
     .more = R"({"spec":{"suspend":true,"tfReplicaSpecs":{"PS":{"replicas":2},"Chief":{}}},
        "status":{"conditions":[{"type":"Succeeded","status":"True"}]}})",
     .size = 3,
     .finished = true},
    {.name = "XGBoostJob",
     .api_version = "kubeflow.org/v1",
     .kind = "XGBoostJob",
     .more = R"({"spec":{"xgbReplicaSpecs":{"Worker":{"replicas":2}}}})",
     .size = 2},
    {.name = "PaddleJob",
     .api_version = "kubeflow.org/v1",
     .kind = "PaddleJob",
     .more = R"({"spec":{"paddleReplicaSpecs":{"Worker":{"replicas":2}}}})",
     .size = 2},
    {.name = "JAXJob",
     .api_version = "kubeflow.org/v1",
     .kind = "JAXJob",
     .more = R"({"spec":{"jaxReplicaSpecs":{"Worker":{"replicas":2}}}})",
     .size = 2},
    {.name = "MPIJob",
     .api_version = "kubeflow.org/v2beta1",
     .kind = "MPIJob",
     .more = R"({"spec":{"mpiReplicaSpecs":{"Launcher":{"replicas":1},"Worker":{"replicas":2}}}})",
     .size = 3},
    {.name = "VolcanoJob",
     .api_version = "batch.volcano.sh/v1alpha1",
     .kind = "Job",
     .more = R"({"spec":{"maxRetry":5,"tasks":[{"replicas":1},{"replicas":2}]},
        "status":{"state":{"phase":"Running"},"version":4,"retryCount":2}})",
     .size = 3,
     .retries = 3,
     .version = 4},
    {.name = "VolcanoJobThatIsAborted",
     .api_version = "batch.volcano.sh/v1alpha1",
     .kind = "Job",
     .more = R"({"status":{"state":{"phase":"Aborted"},"retryCount":9}})",
     .suspended = true,
     .retries = 0},
    {.name = "VolcanoJobThatIsTerminated",
     .api_version = "batch.volcano.sh/v1alpha1",
     .kind = "Job",
     .more = R"({"status":{"state":{"phase":"Terminated"}}})",
     .finished = true,
     .retries = 3},
    {.name = "StatefulSet",
     .api_version = "apps/v1",
     .kind = "StatefulSet",
     .more = R"({"spec":{"replicas":3}})",
     .size = 3,
     .lever = LeverKind::kEvict},
};

class OwnerKind : public testing::TestWithParam<Kind> {};

TEST_P(OwnerKind, IsReadByItsOwnFields) {
  const Kind& kind = GetParam();
  const OwnerFacts wanted = Wanted(kind.api_version, kind.kind);
  const auto owner = ReadOwner(ObjectOf(wanted, Json::parse(kind.more)), wanted, kind.lever);
  ASSERT_TRUE(owner) << owner.error().message;
  EXPECT_TRUE(owner->state.exists);
  EXPECT_EQ(owner->state.resource_version, "7");
  EXPECT_EQ(owner->size, kind.size);
  EXPECT_EQ(owner->state.suspended, kind.suspended);
  EXPECT_EQ(owner->state.finished, kind.finished);
  EXPECT_EQ(owner->state.retries_left, kind.retries);
  EXPECT_EQ(owner->state.version, kind.version);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OwnerKind, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return kind.param.name; });

TEST(ReadOwner, TellsWhatStandsAboveItAndWhatItAsksFor) {
  const OwnerFacts wanted = Wanted("batch/v1", "Job");
  const auto owner = ReadOwner(ObjectOf(wanted, Json::parse(R"({
      "metadata":{"deletionTimestamp":"2026-01-02T15:04:05Z",
        "labels":{"kueue.x-k8s.io/queue-name":"gpu"},
        "annotations":{"fairlead.dev/moves":"number: 1","fairlead.dev/migration-lever":"evict"},
        "ownerReferences":[{"kind":"Other","name":"o","uid":"o1"},
          {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","name":"s","uid":"s1",
           "controller":true}]},
      "spec":{"managedBy":"kueue.x-k8s.io/multikueue","selector":{"matchLabels":{"a":"b"}}}})")),
                               wanted, LeverKind::kSuspend);
  ASSERT_TRUE(owner);
  EXPECT_TRUE(owner->state.deleting);
  EXPECT_EQ(owner->state.record, "number: 1");
  EXPECT_TRUE(owner->kueue_queue);
  EXPECT_TRUE(owner->wants_eviction);
  EXPECT_EQ(owner->controller.kind, "JobSet");
  EXPECT_EQ(owner->controller.uid, "s1");
  EXPECT_EQ(owner->managed_by, "kueue.x-k8s.io/multikueue");
  EXPECT_EQ(owner->pod_labels, (StringMap{{"a", "b"}}));
}

TEST(ReadOwner, AnotherOneOfTheSameNameDoesNotExist) {
  const OwnerFacts wanted = Wanted("batch/v1", "Job");
  const Json other = ObjectOf(wanted, {{"metadata", {{"uid", "u2"}}}});
  const auto owner = ReadOwner(other, wanted, LeverKind::kSuspend);
  ASSERT_TRUE(owner);
  EXPECT_FALSE(owner->state.exists);
}

TEST(ReadOwner, AnswersOfTheWrongKindAreNamed) {
  struct Case {
    std::string answer;
    std::string message;
  };
  for (const Case& c : {
           Case{"null", "is no Job"},
           Case{"[]", "is no Job"},
           Case{"7", "is no Job"},
           Case{R"({"kind":"Status","apiVersion":"v1"})", "is no Job"},
           Case{R"({"kind":"Job","apiVersion":"batch.volcano.sh/v1alpha1"})", "is no Job"},
           Case{R"({"kind":"Job","apiVersion":"batch/v1"})", "has no metadata.resourceVersion"},
           Case{R"({"kind":"Job","apiVersion":"batch/v1","metadata":{"resourceVersion":"1"}})",
                "has no metadata.uid"},
           Case{R"({"kind":"Job","apiVersion":"batch/v1",
                    "metadata":{"resourceVersion":"1","uid":"u1"},"spec":[]})",
                "has no spec"},
           Case{R"({"kind":"Job","apiVersion":"batch/v1",
                    "metadata":{"resourceVersion":"1","uid":"u1"},"spec":{"suspend":"yes"}})",
                "has a suspend that is no bool"},
       }) {
    const auto owner =
        ReadOwner(Json::parse(c.answer), Wanted("batch/v1", "Job"), LeverKind::kSuspend);
    ASSERT_FALSE(owner) << c.answer;
    EXPECT_THAT(owner.error().message, HasSubstr("about Job \"train\" " + c.message)) << c.answer;
  }
}

TEST(ReadOwner, CountsThatMakeNoSenseDoNotWrap) {
  const OwnerFacts wanted = Wanted("jobset.x-k8s.io/v1alpha2", "JobSet");
  const auto size = [&](const std::string& replicas, const std::string& parallelism) {
    const auto owner =
        ReadOwner(ObjectOf(wanted, Json::parse(R"({"spec":{"replicatedJobs":[{"replicas":)" +
                                               replicas + R"(,"template":{"spec":{"parallelism":)" +
                                               parallelism + "}}},{}]}}")),
                  wanted, LeverKind::kSuspend);
    return owner.value().size;
  };
  EXPECT_EQ(size("-3", "4"), 1U);
  EXPECT_EQ(size("4294967295", "4294967295"), UINT32_MAX);
  EXPECT_EQ(size("99999999999999999999", "1"), 2U) << "no whole number, so what is left out";
  EXPECT_EQ(size("\"3\"", "1"), 2U);
}

}  // namespace
}  // namespace fairlead::extender
