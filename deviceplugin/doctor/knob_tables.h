// The families of knobs.
#pragma once

#include <span>

#include "deviceplugin/doctor/knob.h"

namespace fairlead::deviceplugin {

std::span<const Knob> HostKnobs();  // kernel, firmware, tools
std::span<const Knob> NcclKnobs();  // NCCL and PyTorch
std::span<const Knob> Claims();     // what guides say

}  // namespace fairlead::deviceplugin
