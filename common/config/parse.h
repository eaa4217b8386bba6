// The text of a configuration file as a Config.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "common/config/config.h"
#include "common/config/key_lines.h"

namespace fairlead {

// Strict: whatever is not known, doubled, of the wrong type or contradictory is an error. All
// problems are reported together, one line each: "FILE:LINE: key.path: value and remedy".
// `file_name` serves the messages only. Pure: reads no file and no clock.
Result<Config> ParseConfig(std::string_view yaml, std::string_view file_name);

// The same, for who has more to say about its keys.
struct LocatedConfig {
  Config config;
  KeyLines lines;
};
Result<LocatedConfig> ParseLocatedConfig(std::string_view yaml, std::string_view file_name);

}  // namespace fairlead
