// Everything that kubelet is offered on this node.
#pragma once

#include <span>
#include <string>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/inventory/node_inventory.h"
#include "deviceplugin/offer/resource.h"
#include "deviceplugin/pool/match_pools.h"

namespace fairlead::deviceplugin {

// What is told of one HCA.
struct HcaVerdict {
  bool healthy = true;
  bool present = true;  // false: it vanished and is still listed, as it was last seen
  std::string id{};     // without a slot; empty: as HcaIds says
};

// `match` is of the same inventory and the configuration's pools; `verdicts` has one for each HCA
// of the inventory, or is empty: all are well. A resource for each pool, also one without HCAs, for
// GPUs where the configuration says so, and for linkprobe.
//
// No two resources set one variable to different values, with one exception: a pool and its
// priorities set NCCL's and UCX's for the same HCAs, and no container may ask for both (the chart
// forbids it). Pure; the order of HCAs and GPUs does not matter.
Offer MakeOffer(const NodeInventory& inventory, const PoolMatch& match,
                std::span<const HcaVerdict> verdicts, const DevicepluginConfig& config);

}  // namespace fairlead::deviceplugin
