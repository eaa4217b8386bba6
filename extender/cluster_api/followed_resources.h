// What of the API is followed.
#pragma once

#include <vector>

#include "common/kube/resource.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender {

// Without pods that have ended, which take no room.
kube::Resource FollowedNodes();
kube::Resource FollowedPods();
kube::Resource FollowedJobs();

struct FollowedGroups {
  PodGroupKind kind;
  kube::Resource resource;
};
// Optional ones: a cluster has those of its schedulers.
std::vector<FollowedGroups> FollowedPodGroups();

}  // namespace fairlead::extender
