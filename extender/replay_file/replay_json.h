// A replay for programs.
#pragma once

#include <string>

#include "extender/replay/replay_text.h"

namespace fairlead::extender {

// docs/migration.md has its keys. Seconds throughout; times in seconds since 1970.
std::string ReplayJson(const ReplayReport& report);

}  // namespace fairlead::extender
