// RDMA devices that speak for several ports of a card.
#pragma once

#include <vector>

#include "deviceplugin/discovery/netdev_table.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Marks each device that carries the traffic of a whole bond, and gives it the bond's slaves: one
// of them is another function of the same card that has no RDMA device of its own. A bond over
// cards that keep their own devices is no such thing.
void MarkAggregated(std::vector<Hca>& hcas, NetdevTable& netdevs);

}  // namespace fairlead::deviceplugin
