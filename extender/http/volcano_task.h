// Volcano's TaskInfo struct in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extender/decision/offered_node.h"
#include "extender/gang/pod_facts.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// A task in full: the one that is to be placed.
struct TaskFacts {
  PodFacts pod;
  std::string_view job;  // "namespace/podgroup"
};

// Reads the Pod; where it tells nothing, the name, UID, annotations and requests of the task
// itself. On an error `where` names the field; `limit` is the length of the document.
error_code ReadTask(od::value& task, std::size_t limit, TaskFacts& facts, std::string_view& where);

// A task among those of a job or a node, without its Pod.
struct TaskGlance {
  std::string_view uid;
  std::string_view job;
  std::uint64_t status = 0;  // Volcano's bits: Allocated 2, Pipelined 4, Binding 8, Bound 16,
                             // Running 32; other values hold no place
  IdleCapacity request;      // InitResreq, where it was asked for

  bool holds_place() const;
};

// Leaves `glance` as it is where the task is no object.
error_code ReadTaskGlance(od::value& task, std::size_t limit, bool with_request,
                          TaskGlance& glance);

}  // namespace fairlead::extender::json
