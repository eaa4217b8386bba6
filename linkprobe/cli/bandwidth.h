// `fairlead-linkprobe bw`: how much one line delivers.
#pragma once

#include <csignal>

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Prints progress and result. True where the test came to its own end, false where harm, silence or
// the quota ended it, with what was measured until then.
Result<bool> RunBandwidth(const BandwidthCommand& command, const sigset_t& signals);

}  // namespace fairlead::linkprobe
