// Which files under /dev/infiniband a container gets.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/inventory/hca.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// The node of that name, "uverbs0", at the same place in the container as on the host.
DeviceNode InfinibandNode(const std::string& name);

// What verbs programs need of this HCA: its uverbs node and, where the host has it, rdma_cm, which
// belongs to no HCA. Not umad and issm: they let a container manage the whole InfiniBand subnet,
// and neither verbs nor NCCL, UCX or perftest open them. Sorted by path. Pure.
std::vector<DeviceNode> NodesOf(const Hca& hca, bool rdma_cm);

// Sorts by path and leaves one of each.
void SortUnique(std::vector<DeviceNode>& nodes);

}  // namespace fairlead::deviceplugin
