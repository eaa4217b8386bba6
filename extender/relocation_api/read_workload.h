// Kueue's Workloads and Volcano's Commands of an owner, as the API server tells them.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/json_fields.h"

namespace fairlead::extender {

// Those that have not finished.
struct WorkloadReading {
  bool served = false;  // the API server knows the kind
  WorkloadState state;  // of the last that was read
  std::string name;
  std::string version;  // of its API: "v1beta2"
  int count = 0;
};

// Takes note of a Workload if it is owned by this uid and has not finished. kInvalidArgument where
// it has no name, uid or resourceVersion.
Status AddWorkload(const Json& workload, std::string_view owner_uid, WorkloadReading& reading);

// Whether a Command is of a move, and for this owner.
bool IsMoveCommand(const Json& command, std::string_view owner_uid);

}  // namespace fairlead::extender
