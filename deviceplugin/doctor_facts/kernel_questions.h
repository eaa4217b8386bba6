// What only the running kernel tells of a network device.
#pragma once

#include <string>

#include "deviceplugin/doctor/port_facts.h"

namespace fairlead::deviceplugin {

// By route netlink, DCB_CMD_IEEE_GET; needs no privilege. Waits half a second at most.
Known<DcbFacts> AskDcb(const std::string& netdev);

// By the ethtool ioctl ETHTOOL_GPAUSEPARAM; needs no privilege.
Known<PauseFacts> AskPause(const std::string& netdev);

}  // namespace fairlead::deviceplugin
