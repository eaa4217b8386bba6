// Everything about this node that does not come from NVML.
#pragma once

#include "common/rdma/gid_rank.h"
#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// The HCAs of the host whose files these are, and the network namespace mode of the running kernel;
// where it does not tell, the mode stays unknown.
NodeInventory ReadNode(const HostFiles& files, const GidPolicy& policy);

}  // namespace fairlead::deviceplugin
