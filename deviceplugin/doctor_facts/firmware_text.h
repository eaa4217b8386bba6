// What the firmware tools print.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// `mlxconfig -e query` and `mstconfig -e query`, any version: lines of a name and its values, in
// the columns that the heading names ("Default Current Next Boot"). Without a column "Current" (no
// -e) the current values stay empty. Not known where no setting is found. Pure.
Known<std::map<std::string, FirmwareSetting>> ParseFirmwareSettings(std::string_view text);

// `mlxreg --get`: "roce_adp_retrans_en | 0x00000001". Not known where there is no field. Pure.
Known<std::map<std::string, std::uint32_t>> ParseRegister(std::string_view text);

}  // namespace fairlead::deviceplugin
