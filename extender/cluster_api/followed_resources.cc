#include "extender/cluster_api/followed_resources.h"

namespace fairlead::extender {
namespace {

kube::Resource Named(std::string name, std::string path) {
  kube::Resource resource;
  resource.name = std::move(name);
  resource.path = std::move(path);
  return resource;
}

FollowedGroups Groups(PodGroupKind kind, const std::string& group, const std::string& version) {
  kube::Resource resource =
      Named("podgroups." + group, "/apis/" + group + "/" + version + "/podgroups");
  resource.optional = true;
  return {.kind = kind, .resource = std::move(resource)};
}

}  // namespace

kube::Resource FollowedNodes() { return Named("nodes", "/api/v1/nodes"); }

kube::Resource FollowedPods() {
  kube::Resource pods = Named("pods", "/api/v1/pods");
  pods.field_selector = "status.phase!=Succeeded,status.phase!=Failed";
  return pods;
}

kube::Resource FollowedJobs() { return Named("jobs.batch", "/apis/batch/v1/jobs"); }

std::vector<FollowedGroups> FollowedPodGroups() {
  return {Groups(PodGroupKind::kNative, "scheduling.k8s.io", "v1beta1"),
          Groups(PodGroupKind::kNativeAlpha, "scheduling.k8s.io", "v1alpha3"),
          Groups(PodGroupKind::kVolcano, "scheduling.volcano.sh", "v1beta1"),
          Groups(PodGroupKind::kCoscheduling, "scheduling.x-k8s.io", "v1alpha1")};
}

}  // namespace fairlead::extender
