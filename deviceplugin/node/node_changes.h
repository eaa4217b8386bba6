// What a person wants to read in the log when a node changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

struct NodeChange {
  bool bad = false;          // something stopped working or could not be understood
  std::string_view message;  // "an HCA is not healthy any more"
  std::string device;        // its RDMA device's name; empty where it is about the node
  std::string detail;        // a sentence; may be empty
};

// From one state to the next, in the order of the devices; every device and problem counts as new
// after an empty state. What stays as it was is not told again. Pure.
std::vector<NodeChange> ChangesBetween(const NodeState& before, const NodeState& now);

}  // namespace fairlead::deviceplugin
