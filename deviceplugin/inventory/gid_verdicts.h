// Which of a port's GIDs a program can use.
#pragma once

#include <vector>

#include "common/rdma/gid_rank.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// A verdict for each of `port.gids`, the best first, by RankGids with the port's own link layer in
// place of the policy's. GIDs of iWARP and EFA are no addresses to choose from, and one whose
// network device is not among `port.netdevs` belongs to another network namespace: neither is
// usable. Pure.
std::vector<RankedGid> JudgeGids(const HcaPort& port, RdmaProtocol protocol, GidPolicy policy);

}  // namespace fairlead::deviceplugin
