#include "extender/relocation_api/move_requests.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "tests/extender/relocation_api/api_bench.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

MoveTarget Of(const std::string& api_version, const std::string& kind) {
  return {.namespace_name = "ml",
          .owner = {.kind = kind,
                    .name = "train",
                    .uid = "u1",
                    .controller = true,
                    .api_version = api_version}};
}

ApiCall Call(CallKind kind) {
  ApiCall call;
  call.kind = kind;
  call.name = "train-0";
  call.uid = "p0";
  call.resource_version = "7";
  call.record = "number: 1\nwhy: \"x\"";
  call.text = "1";
  call.value = true;
  call.grace = Milliseconds(90'500);
  return call;
}

TEST(MoveRequests, TheRecordIsBoundToTheOwnersVersion) {
  const auto request = MoveRequest(Of("batch/v1", "Job"), Call(CallKind::kWriteRecord));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, kube::Method::kPatch);
  EXPECT_EQ(request->body_kind, kube::BodyKind::kMergePatch);
  EXPECT_EQ(request->path, "/apis/batch/v1/namespaces/ml/jobs/train");
  EXPECT_EQ(Json::parse(request->body), Json::parse(R"({"metadata":{"resourceVersion":"7",
                "labels":{"fairlead.dev/moving":null},
                "annotations":{"fairlead.dev/moves":"number: 1\nwhy: \"x\""}}})"));
}

TEST(MoveRequests, AnOwnerIsLabelledWhileItsMoveIsOpen) {
  for (const MoveStep step : {MoveStep::kIntended, MoveStep::kStop, MoveStep::kClosed}) {
    ApiCall call = Call(CallKind::kWriteRecord);
    call.record = RecordAt(step);
    const auto request = MoveRequest(Of("batch/v1", "Job"), call);
    ASSERT_TRUE(request);
    const Json label = Json::parse(request->body)["metadata"]["labels"]["fairlead.dev/moving"];
    EXPECT_EQ(label, step == MoveStep::kClosed ? Json() : Json("true")) << MoveStepName(step);
  }
}

TEST(MoveRequests, SuspendAndRecordAreOnePatch) {
  struct Case {
    std::string api_version;
    std::string kind;
    std::string path;
    std::string spec;
  };
  for (const Case& c :
       {Case{"batch/v1", "Job", "/apis/batch/v1/namespaces/ml/jobs/train", R"({"suspend":true})"},
        Case{"jobset.x-k8s.io/v1alpha2", "JobSet",
             "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets/train", R"({"suspend":true})"},
        Case{"kubeflow.org/v1", "PyTorchJob",
             "/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs/train",
             R"({"runPolicy":{"suspend":true}})"}}) {
    const auto request = MoveRequest(Of(c.api_version, c.kind), Call(CallKind::kSetSuspend));
    ASSERT_TRUE(request);
    EXPECT_EQ(request->path, c.path);
    const Json body = Json::parse(request->body);
    EXPECT_EQ(body["spec"], Json::parse(c.spec));
    EXPECT_EQ(body["metadata"]["resourceVersion"], "7");
    EXPECT_TRUE(body["metadata"]["annotations"].contains("fairlead.dev/moves"));
  }
}

TEST(MoveRequests, PodsAreBoundToTheirUid) {
  const MoveTarget target = Of("batch/v1", "Job");
  const auto evict = MoveRequest(target, Call(CallKind::kEvictPod));
  ASSERT_TRUE(evict);
  EXPECT_EQ(evict->method, kube::Method::kPost);
  EXPECT_EQ(evict->path, "/api/v1/namespaces/ml/pods/train-0/eviction");
  const Json eviction = Json::parse(evict->body);
  EXPECT_EQ(eviction["kind"], "Eviction");
  EXPECT_EQ(eviction["deleteOptions"]["preconditions"]["uid"], "p0");
  EXPECT_EQ(eviction["deleteOptions"]["gracePeriodSeconds"], 91);

  ApiCall call = Call(CallKind::kDeletePod);
  call.grace = {};
  const auto remove = MoveRequest(target, call);
  ASSERT_TRUE(remove);
  EXPECT_EQ(remove->method, kube::Method::kDelete);
  EXPECT_EQ(remove->path, "/api/v1/namespaces/ml/pods/train-0");
  EXPECT_EQ(Json::parse(remove->body)["preconditions"]["uid"], "p0");
  EXPECT_FALSE(Json::parse(remove->body).contains("gracePeriodSeconds"));

  const auto ask = MoveRequest(target, Call(CallKind::kAskCheckpoint));
  ASSERT_TRUE(ask);
  EXPECT_EQ(Json::parse(ask->body)["metadata"],
            Json::parse(R"({"uid":"p0","annotations":{"fairlead.dev/checkpoint-request":"1"}})"));
}

TEST(MoveRequests, NoNameLeadsElsewhere) {
  ApiCall call = Call(CallKind::kDeletePod);
  call.name = "../../x";
  const auto request = MoveRequest(Of("batch/v1", "Job"), call);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/api/v1/namespaces/ml/pods/..%2F..%2Fx");
}

TEST(MoveRequests, AWorkloadIsBoundToItsUidAndVersion) {
  const std::string path = "/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/workloads/job-train-1";
  ApiCall call = Call(CallKind::kSetActive);
  call.text = "1 stopped";
  call.value = false;
  const auto request = MoveRequest(Of("batch/v1", "Job"), call, path);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, kube::Method::kPatch);
  EXPECT_EQ(request->path, path);
  EXPECT_EQ(Json::parse(request->body), Json::parse(R"({"metadata":{"uid":"p0",
                "resourceVersion":"7","annotations":{"fairlead.dev/move-marker":"1 stopped"}},
                "spec":{"active":false}})"));
}

TEST(MoveRequests, ACommandNamesItsJob) {
  ApiCall call = Call(CallKind::kCreateCommand);
  call.name = "fairlead-move-1";
  const auto request = MoveRequest(Of("batch.volcano.sh/v1alpha1", "Job"), call);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, kube::Method::kPost);
  EXPECT_EQ(request->path, "/apis/bus.volcano.sh/v1alpha1/namespaces/ml/commands");
  const Json job = Json::parse(R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job",
      "name":"train","uid":"u1","controller":true})");
  const Json body = Json::parse(request->body);
  EXPECT_EQ(body["kind"], "Command");
  EXPECT_EQ(body["action"], "RestartJob");
  EXPECT_EQ(body["target"], job);
  EXPECT_EQ(body["metadata"]["ownerReferences"], Json::array({job}));
  EXPECT_EQ(body["metadata"]["name"], "fairlead-move-1-" + PodPrint("u1"));
}

TEST(MoveRequests, WhatAKindDoesNotHaveIsRefused) {
  for (const auto& [version, kind] :
       {std::pair{"apps/v1", "StatefulSet"}, std::pair{"batch.volcano.sh/v1alpha1", "Job"},
        std::pair{"example.com/v1", "Thing"}}) {
    const auto request = MoveRequest(Of(version, kind), Call(CallKind::kSetSuspend));
    ASSERT_FALSE(request) << kind;
    EXPECT_EQ(request.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(request.error().message, std::string(kind) + " \"train\" cannot be suspended");
  }
}

TEST(OutcomeOf, WhatMayHaveBeenCarriedOutIsNoRefusal) {
  struct Case {
    kube::ApiFailure failure;
    CallResult result;
  };
  using enum kube::ApiFailure;
  for (const Case& c :
       {Case{kConflict, CallResult::kConflict}, Case{kThrottled, CallResult::kThrottled},
        Case{kServerError, CallResult::kServerError}, Case{kForbidden, CallResult::kForbidden},
        Case{kUnauthenticated, CallResult::kForbidden}, Case{kAccess, CallResult::kForbidden},
        Case{kNotFound, CallResult::kNotFound}, Case{kExpired, CallResult::kNotFound},
        Case{kRejected, CallResult::kInvalid}, Case{kUnreachable, CallResult::kLost},
        Case{kSilent, CallResult::kLost}, Case{kStopped, CallResult::kLost},
        Case{kMalformed, CallResult::kLost}, Case{kTooLarge, CallResult::kLost}}) {
    const CallOutcome outcome =
        OutcomeOf({.failure = c.failure, .message = "no", .retry_after = Seconds(3)});
    EXPECT_EQ(outcome.result, c.result) << kube::ApiFailureName(c.failure);
    EXPECT_EQ(outcome.retry_after, Seconds(3));
    EXPECT_EQ(outcome.message, "no");
  }
}

}  // namespace
}  // namespace fairlead::extender
