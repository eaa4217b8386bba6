// What --check-config says.
#pragma once

#include <string>

#include "common/base/result.h"

namespace fairlead::linkprobe {

// Whether the daemon could start with this file on this host, but for other programs that hold its
// ports: the file itself, addresses and plain text, the TLS files, the token. The error has one
// line a problem, "FILE:LINE: key.path: value and remedy". Binds and dials nothing.
Status CheckConfigFile(const std::string& path);

}  // namespace fairlead::linkprobe
