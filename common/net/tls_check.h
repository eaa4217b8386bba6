// What --check-config says about TLS.
#pragma once

#include <string_view>

#include "common/config/config.h"
#include "common/config/parse.h"
#include "common/config/problems.h"

namespace fairlead {

// Adds everything wrong with the files under `tls`, if there are any, at the lines of their keys.
// Reads the files.
void CheckTlsFiles(const LocatedConfig& located, Problems& problems);

// Adds a problem where `address`, the value of `key`, would be plain text beyond the loopback and
// the configuration does not say so. Pure.
void CheckSecurity(const LocatedConfig& located, std::string_view key, std::string_view address,
                   Problems& problems);

}  // namespace fairlead
