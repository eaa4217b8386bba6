// The wiring of the daemon.
#pragma once

#include <csignal>

#include "common/base/result.h"
#include "deviceplugin/cli/command_line.h"

namespace fairlead::deviceplugin {

// Runs until one of `signals` comes. Fails where it cannot start: a configuration that cannot be
// read, a port that is taken, a kubelet directory that is none.
Status RunDaemon(const DaemonCommand& command, const sigset_t& signals);

}  // namespace fairlead::deviceplugin
