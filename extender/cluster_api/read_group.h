// PodGroups and Jobs in JSON.
#pragma once

#include <cstddef>
#include <string_view>

#include "common/json/json_cursor.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender::json {

// Everything but name, namespace and uid. `limit` is the length of the document. On an error
// `where` names the field. A count that is no whole number from 0 to 1,000,000 is an error.
fairlead::json::error_code ReadPodGroup(fairlead::json::od::object& object, std::size_t limit,
                                        PodGroup& group, std::string_view& where);
fairlead::json::error_code ReadJob(fairlead::json::od::object& object, std::size_t limit,
                                   BatchJob& job, std::string_view& where);

}  // namespace fairlead::extender::json
