// linkprobe's word to the device plugin, as bytes.
#pragma once

#include <span>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/nic/nic_judge.h"
#include "linkprobe/plugin/line_facts.h"

namespace fairlead::linkprobe {

// A NicVerdicts message of fairlead/v1/node.proto, within its bounds: lines that would make it too
// long, and names and losses that it may not hold, are left out.
std::string EncodeVerdicts(std::span<const NicOpinion> opinions, const LinesOfSite& lines,
                           MonotonicTime now);

}  // namespace fairlead::linkprobe
