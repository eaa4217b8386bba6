// How many files this process may have open.
#pragma once

#include <cstddef>

#include "common/base/result.h"

namespace fairlead::deviceplugin {

// What the daemon needs for its sources, sockets and a few scrapes with so many resources; without
// it gRPC would end the process, and the node could not be read.
std::size_t DescriptorsNeeded(std::size_t resources);

// Raises the soft limit to the hard one. kUnavailable says what to raise where that is not enough.
Status SecureDescriptors(std::size_t needed);

}  // namespace fairlead::deviceplugin
