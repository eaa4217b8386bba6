// What the commands that reach a peer's `respond` have in common.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/cli/arguments.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

OptionRules AdHocRules();

// kInvalidArgument says which option is wrong, or that --key-file is missing.
Result<AdHocOptions> ReadAdHoc(const Arguments& from);

// HOST:PORT, with the usual port where there is none.
std::string WithPort(std::string peer);

// A duration in least..most; `absent` where the option is not there.
Result<Nanoseconds> DurationArgument(const Arguments& from, const std::string& name,
                                     Nanoseconds absent, Nanoseconds least, Nanoseconds most);

// A number of bytes above 0; `absent` where the option is not there.
Result<std::uint64_t> BytesArgument(const Arguments& from, const std::string& name,
                                    std::uint64_t absent);

}  // namespace fairlead::linkprobe
