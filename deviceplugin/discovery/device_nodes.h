// The device nodes through which programs reach HCAs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Those of one RDMA device that are under /dev/infiniband now.
struct DeviceNodes {
  std::string uverbs;  // "uverbs0"; empty: none
  std::uint32_t uverbs_abi = 0;
  std::vector<PortNode> umad;  // sorted by name
  std::vector<PortNode> issm;
  std::vector<std::string> problems;
};

struct NodeTable {
  std::map<std::string, DeviceNodes> by_hca;
  bool rdma_cm = false;
  std::vector<std::string> problems;  // nodes that belong to no known device
};

// From /sys/class/infiniband_verbs, /sys/class/infiniband_mad and /dev/infiniband.
NodeTable ReadDeviceNodes(const HostFiles& files);

}  // namespace fairlead::deviceplugin
