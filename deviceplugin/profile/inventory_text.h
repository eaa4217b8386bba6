// HCAs in words.
#pragma once

#include <span>
#include <string>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/profile/allocated_port.h"

namespace fairlead::deviceplugin {

// "mlx5_0:1 roce 100Gbps 0000:3b:00.0 NUMA 0 GID 3 10.0.0.1; mlx5_1:1 ...": what is not known is
// left out, and so are GIDs where the container sees others. Pure.
std::string InventoryText(std::span<const AllocatedPort> ports, PodNetwork network);

}  // namespace fairlead::deviceplugin
