// `doctor explain`
#pragma once

#include <string>

#include "common/base/result.h"

namespace fairlead::deviceplugin {

// What the knob is and what does the job; a table of all for an empty name. kNotFound names similar
// ones. Pure.
Result<std::string> ExplainAsText(const std::string& name);

}  // namespace fairlead::deviceplugin
