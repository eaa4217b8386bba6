// What the kernel says about data centre bridging.
#pragma once

#include <string_view>

#include "deviceplugin/doctor/port_facts.h"

namespace fairlead::deviceplugin {

// From the kernel's answer to RTM_GETDCB with DCB_CMD_IEEE_GET, one datagram. Not known where it is
// an error or cut off. Pure.
Known<DcbFacts> ParseDcbAnswer(std::string_view datagram);

}  // namespace fairlead::deviceplugin
