// An inventory as text, for comparison with one that was thought out.
#pragma once

#include <string>

#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// Every field of every HCA and port, GIDs in order of rank, the identifiers for kubelet and, where
// there are GPUs, how far each is from each HCA. Fields that say nothing are left out.
std::string DescribeInventory(const NodeInventory& inventory);

}  // namespace fairlead::deviceplugin
