// `doctor nccl`
#pragma once

#include <string>

#include "deviceplugin/doctor/nccl_advice.h"

namespace fairlead::deviceplugin {

// What to set, what to leave, what of guides holds here; each with its reason. Pure.
std::string NcclAsText(const NcclAdvice& advice);

// The same as one JSON object; docs/doctor.md describes it. Pure.
std::string NcclAsJson(const NcclAdvice& advice);

}  // namespace fairlead::deviceplugin
