// GPUs and their way to the HCAs.
#pragma once

#include <optional>

#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// Listed by NVML, or seen by their driver. Pure.
bool HasGpus(const NodeFacts& facts);

// The distance of the GPU to the HCA nearest to it; nothing without HCAs. Pure.
std::optional<PciDistance> NearestHca(const NodeFacts& facts, const Gpu& gpu);

}  // namespace fairlead::deviceplugin
