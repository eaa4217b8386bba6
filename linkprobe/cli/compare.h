// `fairlead-linkprobe compare BEFORE AFTER`
#pragma once

#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

// Prints the comparison and writes the picture, where one is asked for. True when any line could be
// compared.
Result<bool> RunCompare(const CompareCommand& command);

}  // namespace fairlead::linkprobe
