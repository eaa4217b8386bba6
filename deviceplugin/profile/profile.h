// The variables that a container gets with its HCAs.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// What the configuration says about one pool's variables.
struct ProfileSettings {
  std::string resource;
  PodNetwork network = PodNetwork::kPod;
  HcaSelector select;  // of the pool that owns the HCAs; its link types decide which ports count
  PriorityConfig priority;
  bool variables = true;
  std::vector<GidPrefix> gid_allow;
  std::vector<GidPrefix> gid_deny;
  Nanoseconds outage = Seconds(30);
  bool nccl_conf = false;  // NCCL's variables go into a file that is written late

  bool operator==(const ProfileSettings&) const = default;
};

// Not without `variables`: then there is nothing to move into a file.
inline bool WantsNcclConf(const ProfileSettings& settings) {
  return settings.nccl_conf && settings.variables;
}

struct Profile {
  std::map<std::string, std::string> env;
  std::vector<std::string> warnings;  // what could not be set right, and the remedy
};

// kubelet keeps the variables for the pod's life, also over restarts of the container, so none is
// set whose value is not known to be right:
//   NCCL_IB_HCA         "=mlx5_0:1,mlx5_1:1", the RoCE and InfiniBand ports (PortsOf says which)
//   NCCL_IB_GID_INDEX   or _ADDR_FAMILY, _ADDR_RANGE, _ROCE_VERSION_NUM, for RoCE (gid_setting.h)
//   NCCL_IB_TC, _FIFO_TC, _SL  the pool's priority; the first two act on RoCE only
//   NCCL_IB_TIMEOUT, _RETRY_CNT  from the outage (ack_timeout.h)
//   NCCL_IB_QPS_PER_CONNECTION  2 where an HCA is bonded: one queue pair uses one of its ports
//   UCX_NET_DEVICES, UCX_IB_GID_INDEX (RoCE only: UCX takes it on InfiniBand too),
//   UCX_IB_TRAFFIC_CLASS, UCX_IB_SL, UCX_RC_TIMEOUT, UCX_RC_RETRY_COUNT  the same for UCX
//   FAIRLEAD_HCAS_<RESOURCE>  for people: each port with what is known of it
// Nothing tells Gloo or NCCL's bootstrap which interface reaches the other pods (the HCA's often
// does not), so GLOO_SOCKET_IFNAME and NCCL_SOCKET_IFNAME are never set. Without `variables` only
// the last of the list is. Pure; the order of the HCAs does not matter.
Profile MakeProfile(std::span<const Hca* const> hcas, const ProfileSettings& settings);

}  // namespace fairlead::deviceplugin
