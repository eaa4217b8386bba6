#include "extender/relocation_api/fact_requests.h"

#include "common/base/names.h"

namespace fairlead::extender {
namespace {

kube::ApiRequest Get(std::string path) {
  kube::ApiRequest request;
  request.path = std::move(path);
  return request;
}

kube::ApiRequest GetBy(std::string path, std::string selector) {
  kube::ApiRequest request = Get(std::move(path));
  if (!selector.empty()) request.query.emplace_back("labelSelector", std::move(selector));
  return request;
}

std::string Equal(std::string_view label, std::string_view value) {
  return std::string(label) + "=" + std::string(value);
}

}  // namespace

std::string ListPath(std::string_view api_version, std::string_view namespace_name,
                     std::string_view plural) {
  const std::size_t slash = api_version.find('/');
  std::string path =
      slash == std::string_view::npos
          ? kube::PathOf({"api", api_version})
          : kube::PathOf({"apis", api_version.substr(0, slash), api_version.substr(slash + 1)});
  if (!namespace_name.empty()) path += kube::PathOf({"namespaces", namespace_name});
  return path + kube::PathOf({plural});
}

std::string OwnerPath(const MoveTarget& target) {
  return ListPath(target.owner.api_version, target.namespace_name, PluralOf(target.owner.kind)) +
         kube::PathOf({target.owner.name});
}

std::string PodPath(const MoveTarget& target, std::string_view pod) {
  return ListPath("v1", target.namespace_name, "pods") + kube::PathOf({pod});
}

kube::ApiRequest OwnerRequest(const MoveTarget& target) { return Get(OwnerPath(target)); }

kube::ApiRequest PodsRequest(const MoveTarget& target, const StringMap& selects) {
  const OwnerShape* const shape = ShapeOf(target.owner);
  std::string selector;
  if (shape != nullptr && !shape->pods_label.empty()) {
    selector =
        Equal(shape->pods_label, shape->labelled_by_uid ? target.owner.uid : target.owner.name);
  } else {
    for (const auto& [label, value] : selects) {
      selector += (selector.empty() ? "" : ",") + Equal(label, value);
    }
  }
  return GetBy(ListPath("v1", target.namespace_name, "pods"), std::move(selector));
}

kube::ApiRequest JobsRequest(const MoveTarget& target, const OwnerShape& shape) {
  return GetBy(ListPath("batch/v1", target.namespace_name, "jobs"),
               Equal(shape.jobs_label, target.owner.name));
}

kube::ApiRequest BudgetsRequest(const MoveTarget& target) {
  return Get(ListPath("policy/v1", target.namespace_name, "poddisruptionbudgets"));
}

kube::ApiRequest WorkloadsRequest(const MoveTarget& target, std::string_view version) {
  return GetBy(
      ListPath("kueue.x-k8s.io/" + std::string(version), target.namespace_name, "workloads"),
      Equal("kueue.x-k8s.io/job-uid", target.owner.uid));
}

kube::ApiRequest CommandsRequest(const MoveTarget& target) {
  return Get(ListPath("bus.volcano.sh/v1alpha1", target.namespace_name, "commands"));
}

kube::ApiRequest MovingRequest(const OwnerShape& shape) {
  const std::string version = std::string(shape.api_group) + "/" + std::string(shape.version);
  return GetBy(ListPath(version, "", PluralOf(shape.kind)),
               Equal(AnnotationName(kMovingLabel), "true"));
}

}  // namespace fairlead::extender
