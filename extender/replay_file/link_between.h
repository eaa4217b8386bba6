// The sites of a link, from a file's text.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// kInvalidArgument where one is no name that a site can have, as ParseSiteName judges.
Result<LinkKey> LinkBetween(std::string_view from, std::string_view to);

}  // namespace fairlead::extender
