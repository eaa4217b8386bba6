// What must hold before a configuration file is given to a YAML parser.
#pragma once

#include <string_view>

#include "common/config/problems.h"

namespace fairlead {

// True when `text` is at most 1 MiB (the most that a ConfigMap holds) of UTF-8 without byte order
// mark and control characters and with no tab in an indentation. Otherwise adds to `problems`.
bool CheckConfigText(std::string_view text, Problems& problems);

}  // namespace fairlead
