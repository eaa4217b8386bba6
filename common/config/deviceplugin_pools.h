// The list `deviceplugin.pools`.
#pragma once

#include <vector>

#include "common/config/deviceplugin_config.h"
#include "common/config/problems.h"
#include "common/config/section_reader.h"

namespace fairlead {

// Reads the key `pools` of `section`; leaves `pools` alone if it is not there. An empty list is one
// without pools. On return exactly one pool that has HCAs of its own sets variables, and so do its
// priorities, unless the file says of all that they do not. Which HCAs two selectors have in common
// shows only on a node.
void ReadPools(SectionReader& section, std::vector<PoolConfig>& pools, Problems& problems);

}  // namespace fairlead
