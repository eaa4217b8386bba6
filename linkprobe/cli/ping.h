// `fairlead-linkprobe ping PEER`
#pragma once

#include <csignal>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Probes until `count` probes are settled on each path or one of `signals`, which are blocked,
// arrives; prints to stdout. True when at least one probe was answered.
Result<bool> RunPing(const PingCommand& command, const sigset_t& signals);

}  // namespace fairlead::linkprobe
