// Which containers hold which HCA.
#pragma once

#include <string_view>

#include "deviceplugin/doctor/node_facts.h"
#include "deviceplugin/kubelet/pod_resources.h"
#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

// Whether the id that kubelet knows is a slot of that device, alone or in a pair with a GPU:
// "0000-3b-00-0-s2" and "0000-3b-00-0-s2-8f6d0c2a" of "0000-3b-00-0".
// Pure.
bool IsSlotOf(std::string_view id, std::string_view device_id);

// Sets the holders of each HCA in the facts, by its id in `state`. Not known while kubelet has not
// told who holds what. Pure.
void AddHolders(const PodHoldings& holdings, const NodeState& state, NodeFacts& facts);

}  // namespace fairlead::deviceplugin
