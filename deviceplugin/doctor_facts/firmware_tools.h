// NVIDIA's firmware tools: MFT (mlxconfig, mlxreg) or mstflint (mstconfig, mstreg).
#pragma once

#include <string>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/doctor_facts/read_facts.h"

namespace fairlead::deviceplugin {

// Asks both tools for each function, all at once, with `patience` for all of them. They only read.
std::vector<FirmwareAnswers> AskFirmwareTools(const std::vector<std::string>& functions,
                                              Nanoseconds patience = Milliseconds(1500));

// The kernel's and the tools' answers about this host. Without `tools` no program is started.
LiveSources LiveSourcesHere(bool tools);

}  // namespace fairlead::deviceplugin
