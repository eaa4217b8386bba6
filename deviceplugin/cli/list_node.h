// One reading of this node for `fairlead-deviceplugin list`.
#pragma once

#include <string>

#include "common/base/result.h"
#include "deviceplugin/cli/command_line.h"

namespace fairlead::deviceplugin {

// What the command prints. Fails where the configuration cannot be read. Needs no running daemon
// and disturbs none.
Result<std::string> ListNode(const ListCommand& command);

}  // namespace fairlead::deviceplugin
