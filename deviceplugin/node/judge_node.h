// From a reading of the node to what is told of it.
#pragma once

#include <span>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/health/health_book.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

struct JudgedNode {
  NodeState state;
  Offer offer;  // what kubelet is offered in that state
};

// After this reading; `book` remembers the readings before it. Pure but for the book.
JudgedNode JudgeNode(NodeInventory inventory, HealthBook& book,
                     std::span<const NicVerdict> verdicts, const DevicepluginConfig& config,
                     ReadSpan read);

// What kubelet is offered in that state. Pure.
Offer OfferFor(const NodeState& state, const DevicepluginConfig& config);

}  // namespace fairlead::deviceplugin
