// A Node in JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/json/json_cursor.h"
#include "extender/cluster/cluster_node.h"
#include "extender/cluster/interned.h"

namespace fairlead::extender::json {

// Everything but the name; labels share the texts in `texts`. `limit` is the length of the
// document. On an error `where` names the field.
fairlead::json::error_code ReadNode(fairlead::json::od::object& object, std::size_t limit,
                                    Interned<std::string>& texts, ClusterNode& node,
                                    std::string_view& where);

}  // namespace fairlead::extender::json
