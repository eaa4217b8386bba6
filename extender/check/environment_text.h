// The environment of a process, as text.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "extender/scheduler_config/endpoint.h"

namespace fairlead::extender {

// Reads NAME=VALUE a line, as `env` prints them, or with a NUL behind each, as /proc/PID/environ
// has them. kInvalidArgument names the line, or the entry, that is none; so for a text with none.
Result<Environment> ParseEnvironment(std::string_view text);

}  // namespace fairlead::extender
