// The GPUs of a host's files.
#pragma once

#include <vector>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// The NVIDIA display controllers of the tree, as NVML would tell them.
std::vector<Gpu> GpusOf(const HostFiles& files);

}  // namespace fairlead::deviceplugin
