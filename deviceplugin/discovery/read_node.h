// Everything about this node that does not come from NVML.
#pragma once

#include <string>

#include "common/rdma/gid_rank.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// The HCAs and the network namespace mode of the host whose /sys and /dev lie below `root` ("" on
// the host itself). The mode is that of the running kernel; where it does not tell, it stays
// unknown.
NodeInventory ReadNode(const std::string& root, const GidPolicy& policy);

}  // namespace fairlead::deviceplugin
