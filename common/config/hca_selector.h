// The mapping `select` of a pool.
#pragma once

#include <string>

#include "common/config/deviceplugin_config.h"
#include "common/config/document.h"
#include "common/config/problems.h"

namespace fairlead {

void ReadHcaSelector(const DocumentNode& node, std::string path, HcaSelector& select,
                     Problems& problems);

}  // namespace fairlead
