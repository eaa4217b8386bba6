#include "extender/relocation_api/move_requests.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "common/base/names.h"
#include "extender/cluster/pod_group.h"
#include "extender/relocation/move_record.h"
#include "extender/relocation_api/fact_requests.h"
#include "extender/relocation_api/json_fields.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {
namespace {

kube::ApiRequest Patch(std::string path, const Json& body) {
  kube::ApiRequest request;
  request.method = kube::Method::kPatch;
  request.body_kind = kube::BodyKind::kMergePatch;
  request.path = std::move(path);
  request.body = Dump(body);
  return request;
}

// The label goes with the last patch of a move; null takes it away.
Json MovingLabel(const std::string& record) {
  const auto moves = ReadMoves(record);
  return {{AnnotationName(kMovingLabel), moves && moves->current.open() ? Json("true") : Json()}};
}

Result<kube::ApiRequest> OwnerPatch(const MoveTarget& target, const ApiCall& call) {
  Json body = {{"metadata",
                {{"resourceVersion", call.resource_version},
                 {"labels", MovingLabel(call.record)},
                 {"annotations", {{AnnotationName(kMovesAnnotation), call.record}}}}}};
  if (call.kind == CallKind::kWriteRecord) return Patch(OwnerPath(target), body);
  const OwnerShape* const shape = ShapeOf(target.owner);
  switch (shape == nullptr ? OwnerShape::Suspend::kNone : shape->suspend) {
    case OwnerShape::Suspend::kSpec:
      body["spec"]["suspend"] = call.value;
      return Patch(OwnerPath(target), body);
    case OwnerShape::Suspend::kRunPolicy:
      body["spec"]["runPolicy"]["suspend"] = call.value;
      return Patch(OwnerPath(target), body);
    case OwnerShape::Suspend::kNone:
      break;
  }
  return Fail(ErrorCode::kUnsupported, Named(target.owner) + " cannot be suspended");
}

kube::ApiRequest WorkloadPatch(const std::string& path, const ApiCall& call) {
  return Patch(path, {{"metadata",
                       {{"uid", call.uid},
                        {"resourceVersion", call.resource_version},
                        {"annotations", {{AnnotationName(kMarkerAnnotation), call.text}}}}},
                      {"spec", {{"active", call.value}}}});
}

// As Volcano's own command line makes them. Names of two jobs' must differ.
kube::ApiRequest Command(const MoveTarget& target, const ApiCall& call) {
  const Json job = {{"apiVersion", target.owner.api_version},
                    {"kind", target.owner.kind},
                    {"name", target.owner.name},
                    {"uid", target.owner.uid},
                    {"controller", true}};
  kube::ApiRequest request;
  request.method = kube::Method::kPost;
  request.path = CommandsRequest(target).path;
  request.body = Dump({{"apiVersion", "bus.volcano.sh/v1alpha1"},
                       {"kind", "Command"},
                       {"metadata",
                        {{"name", call.name + "-" + PodPrint(target.owner.uid)},
                         {"namespace", target.namespace_name},
                         {"ownerReferences", Json::array({job})}}},
                       {"action", "RestartJob"},
                       {"target", job},
                       {"reason", "FairleadMove"},
                       {"message", "moved off a line that has become slow"}});
  return request;
}

Json DeleteOptions(const ApiCall& call) {
  Json options = {
      {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"preconditions", {{"uid", call.uid}}}};
  if (call.grace > Nanoseconds(0)) {
    options["gracePeriodSeconds"] = std::chrono::ceil<Seconds>(call.grace).count();
  }
  return options;
}

kube::ApiRequest Eviction(const MoveTarget& target, const ApiCall& call) {
  kube::ApiRequest request;
  request.method = kube::Method::kPost;
  request.path = PodPath(target, call.name) + kube::PathOf({"eviction"});
  request.body = Dump({{"apiVersion", "policy/v1"},
                       {"kind", "Eviction"},
                       {"metadata", {{"name", call.name}, {"namespace", target.namespace_name}}},
                       {"deleteOptions", DeleteOptions(call)}});
  return request;
}

kube::ApiRequest Deletion(const MoveTarget& target, const ApiCall& call) {
  kube::ApiRequest request;
  request.method = kube::Method::kDelete;
  request.path = PodPath(target, call.name);
  request.body = Dump(DeleteOptions(call));
  return request;
}

CallResult ResultOf(kube::ApiFailure failure) {
  switch (failure) {
    case kube::ApiFailure::kConflict:
      return CallResult::kConflict;
    case kube::ApiFailure::kThrottled:
      return CallResult::kThrottled;
    case kube::ApiFailure::kServerError:
      return CallResult::kServerError;
    case kube::ApiFailure::kUnauthenticated:
    case kube::ApiFailure::kForbidden:
    case kube::ApiFailure::kAccess:
      return CallResult::kForbidden;
    case kube::ApiFailure::kNotFound:
    case kube::ApiFailure::kExpired:
      return CallResult::kNotFound;
    case kube::ApiFailure::kRejected:
      return CallResult::kInvalid;
    case kube::ApiFailure::kUnreachable:
    case kube::ApiFailure::kSilent:
    case kube::ApiFailure::kStopped:
    case kube::ApiFailure::kMalformed:
    case kube::ApiFailure::kTooLarge:
      return CallResult::kLost;
  }
  return CallResult::kLost;
}

}  // namespace

Result<kube::ApiRequest> MoveRequest(const MoveTarget& target, const ApiCall& call,
                                     const std::string& workload_path) {
  switch (call.kind) {
    case CallKind::kWriteRecord:
    case CallKind::kSetSuspend:
      return OwnerPatch(target, call);
    case CallKind::kAskCheckpoint:
      return Patch(PodPath(target, call.name),
                   {{"metadata",
                     {{"uid", call.uid},
                      {"annotations", {{AnnotationName("checkpoint-request"), call.text}}}}}});
    case CallKind::kEvictPod:
      return Eviction(target, call);
    case CallKind::kDeletePod:
      return Deletion(target, call);
    case CallKind::kSetActive:
      return WorkloadPatch(workload_path, call);
    case CallKind::kCreateCommand:
      return Command(target, call);
  }
  return Fail(ErrorCode::kUnsupported, "an unknown call");
}

CallOutcome OutcomeOf(const kube::ApiError& error) {
  return {.result = ResultOf(error.failure),
          .retry_after = error.retry_after,
          .message = error.message};
}

}  // namespace fairlead::extender
