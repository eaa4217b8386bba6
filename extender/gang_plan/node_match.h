// Whether a pod may go to a node at all, by the rules of kube-scheduler.
#pragma once

#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// What keeps a pod off a node, room aside.
enum class NodeMatch {
  kMatches,
  kNoSite,
  kRoomUnknown,  // what the node has free, or what the pod requests, cannot be read
  kNotReady,
  kUnschedulable,  // spec.unschedulable, and its taint is not tolerated
  kTaint,          // NoSchedule or NoExecute that is not tolerated
  kSelector,
  kAffinity,
  kHasMember,
};

// Taints, tolerations, node selector and required node affinity as the Kubernetes API documents
// them (core/v1 Toleration, NodeSelectorTerm): NotIn and DoesNotExist hold where the label is
// missing; Gt and Lt compare whole numbers and hold for nothing else; PreferNoSchedule refuses
// nothing; an expression with a wrong number of values holds for no node.
NodeMatch MatchNode(const PodNeeds& needs, const NodeCapacity& node);

bool Tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace fairlead::extender
