// What of NCCL's variables follows from how the node is built.
#pragma once

#include <vector>

#include "deviceplugin/doctor/nccl_advice.h"

namespace fairlead::deviceplugin {

// NCCL_IB_QPS_PER_CONNECTION and NCCL_IB_SPLIT_DATA_ON_QPS. Pure.
void AdviseQueuePairs(const NodeFacts& facts, const NcclQuestion& question,
                      std::vector<NcclSetting>& out);

// NCCL_SOCKET_IFNAME and NCCL_NET_GDR_LEVEL. Pure.
void AdviseInterfaces(const NodeFacts& facts, std::vector<NcclSetting>& out);

}  // namespace fairlead::deviceplugin
