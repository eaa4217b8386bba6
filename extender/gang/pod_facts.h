// What of a pod matters here, whichever protocol brought it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fairlead::extender {

struct OwnerFacts {
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  std::string api_version = {};  // "batch/v1"; empty: not told

  auto operator<=>(const OwnerFacts&) const = default;
};

using StringMap = std::map<std::string, std::string, std::less<>>;

// All empty: none.
struct WorkloadRef {
  std::string name;
  std::string pod_group;
  std::string replica_key;  // podGroupReplicaKey

  auto operator<=>(const WorkloadRef&) const = default;
};

struct PodFacts {
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::string node_name;             // spec.nodeName; empty while not bound
  std::string scheduling_pod_group;  // spec.schedulingGroup.podGroupName, Kubernetes 1.36 and later
  WorkloadRef workload;              // spec.workloadRef, Kubernetes 1.35 only
  StringMap labels;
  StringMap annotations;
  std::vector<OwnerFacts> owners;
  std::map<std::string, std::uint64_t, std::less<>> requests;  // whole units, for example rdma/hca
  std::string unreadable_request;  // the first that is no quantity: `rdma/hca "many"`; empty: none
};

}  // namespace fairlead::extender
