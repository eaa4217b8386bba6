// `fairlead-deviceplugin list`
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/kubelet/pod_resources.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// What a node has, offers and leaves out.
struct NodeListing {
  const NodeState& state;
  const Offer& offer;
  const std::vector<PoolConfig>& pools;
  const PodHoldings* holdings = nullptr;  // null: not asked for
};

// As a person reads it: each HCA with its ports and ranked GIDs and the pools that have it or why
// none does; the GPUs with their distance to each HCA; the resources; who holds what. Pure.
std::string NodeAsText(const NodeListing& listing);

// The same as one JSON object; docs/deviceplugin.md describes it. Pure.
std::string NodeAsJson(const NodeListing& listing);

// The pools that have the HCA at this position, in the order of the configuration.
std::vector<std::string> PoolsOf(const NodeListing& listing, std::size_t hca);

}  // namespace fairlead::deviceplugin
