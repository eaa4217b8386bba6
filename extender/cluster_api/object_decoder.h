// Kubernetes objects in JSON become the values of the cluster's state.
#pragma once

#include <memory>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/object_id.h"
#include "extender/cluster/cluster_node.h"
#include "extender/cluster/cluster_pod.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender {

// Reads what the values hold and skips the rest. Used by one thread; keeps its memory for the next
// object. Every text has kJsonPadding readable bytes behind it. An error says which field is
// wrong; an amount that is no quantity is none, but told in the value. What this version of the API
// does not know (an effect, an operator) is passed over, or, where that would let a pod go where it
// may not, holds for no node.
class ObjectDecoder {
 public:
  ObjectDecoder();
  ~ObjectDecoder();

  Result<ClusterNode> Node(const kube::ObjectId& id, std::string_view json);
  // A pod without a uid is refused.
  Result<ClusterPod> Pod(const kube::ObjectId& id, std::string_view json);
  Result<BatchJob> Job(const kube::ObjectId& id, std::string_view json);
  Result<PodGroup> Group(PodGroupKind kind, const kube::ObjectId& id, std::string_view json);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
