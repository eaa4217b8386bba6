// Volcano's Resource struct in JSON.
#pragma once

#include <cstddef>
#include <string_view>

#include "extender/decision/offered_node.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// Reads MilliCPU, Memory and ScalarResources, which are thousandths of a unit for every resource
// but `pods`. Replaces `out`. A member that is no number is left out; `limit` is the length of the
// document.
error_code ReadResource(od::value& resource, std::size_t limit, IdleCapacity& out);

}  // namespace fairlead::extender::json
