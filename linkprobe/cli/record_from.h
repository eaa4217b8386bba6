// `fairlead-linkprobe record --from URL`
#pragma once

#include <csignal>
#include <string>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Asks the extender for its links once a window and records what it tells. It must answer at first;
// later an answer that does not come is told on stderr and leaves a gap.
Result<bool> RunRecordFrom(const RecordCommand& command, const std::string& program_version,
                           const sigset_t& signals);

}  // namespace fairlead::linkprobe
