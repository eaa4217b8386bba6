// linkprobe's word to the device plugin, as bytes.
#pragma once

#include <span>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/nic/nic_judge.h"

namespace fairlead::linkprobe {

// A NicVerdicts message of fairlead/v1/node.proto.
std::string EncodeVerdicts(std::span<const NicOpinion> opinions, MonotonicTime now);

}  // namespace fairlead::linkprobe
