// Refuses what no honest probe can have measured.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "extender/link/path_report.h"

namespace fairlead::extender {

// kInvalidArgument, naming peer, field and value, for a path without a peer, a path of a node to
// itself, times that are negative, zero where that is impossible, beyond an hour or out of order,
// and counts that do not add up or could overflow a sum.
Status CheckPath(std::string_view node, const PathReport& path);

}  // namespace fairlead::extender
