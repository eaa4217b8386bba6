// What a container gets with its GPUs.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// Adds GPUs, by UUID: as NVIDIA_VISIBLE_DEVICES, which NVIDIA's container runtime reads, or as CDI
// devices of its toolkit's, "nvidia.com/gpu=GPU-8f6d...".
void AddGpus(const std::vector<std::string>& uuids, bool cdi, Grant& grant);

}  // namespace fairlead::deviceplugin
