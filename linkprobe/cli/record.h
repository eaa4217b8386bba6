// `fairlead-linkprobe record`
#pragma once

#include <csignal>
#include <string>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Probes the peers, and tests them where that was asked for, or asks the extender what its probes
// measure; writes a window after the other to the file, until the time is up or one of `signals`,
// which are blocked, arrives. True when any window has an answer in it.
Result<bool> RunRecord(const RecordCommand& command, const std::string& program_version,
                       const sigset_t& signals);

}  // namespace fairlead::linkprobe
