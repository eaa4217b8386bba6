// What a pod requests of its node as a whole.
#pragma once

#include <vector>

#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

struct ContainerRequests {
  Amounts amounts;
  bool restartable = false;  // of an init container: restartPolicy Always, a sidecar
};

struct PodAmounts {
  std::vector<ContainerRequests> containers;
  std::vector<ContainerRequests> init_containers;  // in the order they start
  Amounts of_pod;    // spec.resources.requests; what it names stands for all containers
  Amounts overhead;  // of the runtime class
};

// As kube-scheduler counts (k8s.io/component-helpers/resource PodRequests): containers run beside
// all sidecars; an init container runs beside the sidecars that began before it; the larger of
// both, resource by resource, then the pod's own requests instead of those of its containers, then
// the overhead on top.
Amounts RequestsOf(const PodAmounts& pod);

}  // namespace fairlead::extender
