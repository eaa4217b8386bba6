// The calls of a relocation as requests to the API server.
#pragma once

#include <string>

#include "common/base/result.h"
#include "common/kube/api_error.h"
#include "common/kube/api_request.h"
#include "extender/gang/pod_facts.h"
#include "extender/relocation/api_call.h"

namespace fairlead::extender {

// Whose gang is moved.
struct MoveTarget {
  std::string namespace_name;
  OwnerFacts owner;  // with its api_version
};

// GET of the owner, as it is now.
kube::ApiRequest OwnerRequest(const MoveTarget& target);
// GET of all pods of the namespace that a Job has made, by its uid.
kube::ApiRequest PodsRequest(const MoveTarget& target);

// Every change is bound to what it was decided by: of the owner to its resourceVersion, of a pod to
// its uid. kUnsupported for calls about Kueue's Workloads and Volcano's Commands.
Result<kube::ApiRequest> MoveRequest(const MoveTarget& target, const ApiCall& call);

// What an answer means for the relocation. Where none came, or none that can be read, the call may
// have been carried out.
CallOutcome OutcomeOf(const kube::ApiResult<std::string>& answer);

}  // namespace fairlead::extender
