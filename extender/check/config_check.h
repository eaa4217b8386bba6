// What --check-config says.
#pragma once

#include <string>

#include "common/base/result.h"

namespace fairlead::extender {

// Whether the extender could start with this file on this host, but for other programs that hold
// its ports: the file itself, addresses and plain text, the TLS files, and standalone the token
// directory. The error has one line a problem, "FILE:LINE: key.path: value and remedy". Binds
// nothing.
Status CheckConfigFile(const std::string& path);

}  // namespace fairlead::extender
