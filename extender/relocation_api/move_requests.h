// The calls of a relocation as requests to the API server.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/api_error.h"
#include "common/kube/api_request.h"
#include "extender/gang/pod_facts.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/lever_kind.h"

namespace fairlead::extender {

// Whose gang is moved, and by what.
struct MoveTarget {
  std::string namespace_name;
  OwnerFacts owner;  // with its api_version
  LeverKind lever = LeverKind::kSuspend;
};

// On the owner, "true" while a move of it is open.
inline constexpr std::string_view kMovingLabel = "moving";
// On a Kueue Workload: WorkloadState.marker.
inline constexpr std::string_view kMarkerAnnotation = "move-marker";

// Every change is bound to what it was decided by: of the owner to its resourceVersion, of a pod to
// its uid. kSetActive needs the path of the Workload, as `workload_path`.
Result<kube::ApiRequest> MoveRequest(const MoveTarget& target, const ApiCall& call,
                                     const std::string& workload_path = "");

// What an answer means for the relocation. Where none came, or none that can be read, the call may
// have been carried out.
CallOutcome OutcomeOf(const kube::ApiError& error);

}  // namespace fairlead::extender
