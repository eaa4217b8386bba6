// `fairlead-linkprobe advise`: what a line needs, from numbers alone.
#pragma once

#include <string>

#include "common/base/result.h"
#include "linkprobe/advice/window_advice.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// What the command prints. kInvalidArgument for facts of no line.
Result<std::string> DescribeAdvice(const AdviseCommand& command);

// One JSON object, without a line break. Pure.
std::string AdviceJson(const LineFacts& facts, const WindowAdvice& advice);

}  // namespace fairlead::linkprobe
