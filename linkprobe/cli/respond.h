// `fairlead-linkprobe respond`
#pragma once

#include <csignal>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Answers pings until one of `signals`, which are blocked, arrives.
Status RunRespond(const RespondCommand& command, const sigset_t& signals);

}  // namespace fairlead::linkprobe
