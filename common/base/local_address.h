// Addresses of sockets that are files.
#pragma once

#include <sys/un.h>

#include <string>

#include "common/base/result.h"

namespace fairlead {

// kInvalidArgument for an empty path, one with a zero byte, and one of more than the 107 bytes that
// the kernel takes.
Result<sockaddr_un> MakeLocalAddress(const std::string& path);

}  // namespace fairlead
