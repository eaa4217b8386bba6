// The arguments of `record`.
#pragma once

#include "common/base/result.h"
#include "common/cli/arguments.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Beside AdHocRules.
OptionRules RecordRules();

// kInvalidArgument says which argument is wrong, or does not go with another.
Result<RecordCommand> ReadRecord(const Arguments& from);

}  // namespace fairlead::linkprobe
