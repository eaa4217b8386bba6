// Everything about a node's HCAs that its files tell.
#pragma once

#include "common/rdma/gid_rank.h"
#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// Reads /sys and /dev/infiniband. The GIDs are judged by `policy`. A file that is unreadable, huge,
// empty or no text costs what it would have told and becomes a sentence in the device's `problems`,
// or the node's; it never hides a device. GPUs and the network namespace mode are not in files.
NodeInventory ReadInventory(const HostFiles& files, const GidPolicy& policy);

}  // namespace fairlead::deviceplugin
