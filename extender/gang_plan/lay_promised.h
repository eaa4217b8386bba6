// Lays members that will come on the nodes that they will take.
#pragma once

#include <span>

#include "extender/gang_plan/capacity.h"

namespace fairlead::extender {

// What promised members leave of `left`, as MembersThatFit describes it. A node on which none of
// them has room any more is looked at once.
NodesLeft LayPromised(std::span<const NodeCapacity> nodes,
                      std::span<const PromisedMembers> promised, NodesLeft left);

}  // namespace fairlead::extender
