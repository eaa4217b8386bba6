// The probe as a daemon: every loop and what passes between them.
#pragma once

#include <csignal>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Probes, answers, reports and serves /metrics until one of `signals`, which are blocked, arrives.
// An error is one that a restart alone would not mend.
Status RunDaemon(const DaemonCommand& command, const sigset_t& signals);

}  // namespace fairlead::linkprobe
