// Other programs, run with a time limit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

// A program, looked for in PATH, and its arguments.
using ToolCall = std::vector<std::string>;

// What each printed to its standard output, in the order of the calls; all run at once. Not known
// where a program is not there, fails, prints more than a MiB, or has not ended after `patience`:
// then it and what it started are killed. A process that hangs in the kernel is left behind and
// never waited for.
std::vector<Known<std::string>> RunTools(std::span<const ToolCall> calls, Nanoseconds patience);

}  // namespace fairlead::deviceplugin
