// Tells a bad node from a bad line.
#pragma once

#include <string>
#include <vector>

#include "common/link/link_measurement.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// One verdict on a path between two nodes. Pointers outlive the call.
struct PairVerdict {
  const std::string* node = nullptr;
  const std::string* site = nullptr;
  const std::string* peer_node = nullptr;
  const std::string* peer_site = nullptr;
  LinkState state = LinkState::kUnknown;
};

// A node is bad when its links to every site it has verdicts for are Degraded or Down by lower
// median, whichever side probed; these are at least two sites, its own counted; and for each of the
// other sites a node of its own site sees that site Healthy. Sorted by node.
std::vector<BadNode> FindBadNodes(const std::vector<PairVerdict>& verdicts);

}  // namespace fairlead::extender
