// What somebody should look at.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

// A sentence each, the reason's stable word in brackets where there is one, the worst first:
// devices that are not well, HCAs that no pool has and why, pools that overlap, what could not be
// read, what containers cannot be told right. Pure.
std::vector<std::string> Attention(const NodeState& state);

}  // namespace fairlead::deviceplugin
