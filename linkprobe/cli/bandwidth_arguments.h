// The arguments of `bw` and `advise`.
#pragma once

#include "common/base/result.h"
#include "common/cli/arguments.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Beside those of every command by hand.
OptionRules BandwidthRules();
OptionRules AdviseRules();

// kInvalidArgument says which argument is wrong. `peer` is host:port.
Result<BandwidthCommand> ReadBandwidth(const Arguments& from, const AdHocOptions& options,
                                       const std::string& peer);
Result<AdviseCommand> ReadAdvise(const Arguments& from);

}  // namespace fairlead::linkprobe
