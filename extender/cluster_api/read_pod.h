// What ClusterPod holds besides what PodFacts does.
#pragma once

#include <cstddef>
#include <string_view>

#include "common/json/json_cursor.h"
#include "extender/cluster/cluster_pod.h"
#include "extender/gang/pod_facts.h"

namespace fairlead::extender::json {

// Needs, finished and terminating. `facts` are those of the same pod: required anti-affinity counts
// where it is against the pod's own labels. `limit` is the length of the document. On an error
// `where` names the field.
fairlead::json::error_code ReadClusterPod(fairlead::json::od::object& object, std::size_t limit,
                                          const PodFacts& facts, ClusterPod& pod,
                                          std::string_view& where);

}  // namespace fairlead::extender::json
