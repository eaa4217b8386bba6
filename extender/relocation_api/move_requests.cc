#include "extender/relocation_api/move_requests.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "common/base/names.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

// What others wrote may not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "PyTorchJob" is served as "pytorchjobs", and so are all kinds that have a lever.
std::string PluralOf(std::string_view kind) {
  std::string plural;
  for (const char c : kind) {
    plural += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plural + "s";
}

std::string OwnerPath(const MoveTarget& target) {
  const std::string_view version = target.owner.api_version;
  const std::size_t slash = version.find('/');
  const std::string place = kube::PathOf(
      {"namespaces", target.namespace_name, PluralOf(target.owner.kind), target.owner.name});
  if (slash == std::string_view::npos) return kube::PathOf({"api", version}) + place;
  return kube::PathOf({"apis", version.substr(0, slash), version.substr(slash + 1)}) + place;
}

std::string PodPath(const MoveTarget& target, std::string_view pod) {
  return kube::PathOf({"api", "v1", "namespaces", target.namespace_name, "pods", pod});
}

kube::ApiRequest Patch(std::string path, const Json& body) {
  kube::ApiRequest request;
  request.method = kube::Method::kPatch;
  request.body_kind = kube::BodyKind::kMergePatch;
  request.path = std::move(path);
  request.body = Dump(body);
  return request;
}

// training-operator's kinds keep it in their run policy.
Json Suspended(const OwnerFacts& owner, bool value) {
  if (owner.api_version.starts_with("kubeflow.org/")) return {{"runPolicy", {{"suspend", value}}}};
  return {{"suspend", value}};
}

kube::ApiRequest OwnerPatch(const MoveTarget& target, const ApiCall& call) {
  Json body = {{"metadata",
                {{"resourceVersion", call.resource_version},
                 {"annotations", {{AnnotationName(kMovesAnnotation), call.record}}}}}};
  if (call.kind == CallKind::kSetSuspend) body["spec"] = Suspended(target.owner, call.value);
  return Patch(OwnerPath(target), body);
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

kube::ApiRequest OwnerRequest(const MoveTarget& target) {
  kube::ApiRequest request;
  request.path = OwnerPath(target);
  return request;
}

kube::ApiRequest PodsRequest(const MoveTarget& target) {
  kube::ApiRequest request;
  request.path = kube::PathOf({"api", "v1", "namespaces", target.namespace_name, "pods"});
  request.query = {{"labelSelector", "batch.kubernetes.io/controller-uid=" + target.owner.uid}};
  return request;
}

Result<kube::ApiRequest> MoveRequest(const MoveTarget& target, const ApiCall& call) {
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
    case CallKind::kCreateCommand:
      break;
  }
  return Fail(ErrorCode::kUnsupported,
              std::string(CallKindName(call.kind)) + " is not known to this version");
}

CallOutcome OutcomeOf(const kube::ApiResult<std::string>& answer) {
  if (answer) return {};
  const kube::ApiError& error = answer.error();
  return {.result = ResultOf(error.failure),
          .retry_after = error.retry_after,
          .message = error.message};
}

}  // namespace fairlead::extender
