// Values that practitioners' guides give for every line.
#pragma once

#include <vector>

#include "deviceplugin/doctor/nccl_advice.h"

namespace fairlead::deviceplugin {

// Each with whether the arithmetic for this node and line gives it, too, and why not. `advice` has
// its settings. Pure.
std::vector<GuideValue> JudgeGuides(const NodeFacts& facts, const NcclAdvice& advice);

}  // namespace fairlead::deviceplugin
