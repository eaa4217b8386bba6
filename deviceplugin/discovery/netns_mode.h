// Whether RDMA devices belong to network namespaces.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// Asks the kernel by RDMA netlink, which needs no privilege. kUnsupported where the kernel has no
// RDMA or is too old to tell (before 5.2). Waits a second at most.
Result<NetnsMode> ReadNetnsMode();

// The mode in the kernel's answer, one datagram. Pure.
Result<NetnsMode> ParseNetnsAnswer(std::string_view datagram);

}  // namespace fairlead::deviceplugin
