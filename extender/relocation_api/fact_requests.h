// What is asked of the API server about a gang that is to be moved.
#pragma once

#include <string>
#include <string_view>

#include "common/kube/api_request.h"
#include "extender/relocation_api/json_fields.h"
#include "extender/relocation_api/move_requests.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {

// The namespace's objects of this API, or those of all namespaces where it is empty.
std::string ListPath(std::string_view api_version, std::string_view namespace_name,
                     std::string_view plural);
// Of one owner, to read or to patch.
std::string OwnerPath(const MoveTarget& target);
std::string PodPath(const MoveTarget& target, std::string_view pod);

kube::ApiRequest OwnerRequest(const MoveTarget& target);
// Pods that may be the owner's: by the label that its kind gives them, else by the labels that it
// selects them by, which is all pods of the namespace where it tells none.
kube::ApiRequest PodsRequest(const MoveTarget& target, const StringMap& selects);
// Jobs between the owner and its pods, by label; only for kinds that have some.
kube::ApiRequest JobsRequest(const MoveTarget& target, const OwnerShape& shape);
kube::ApiRequest BudgetsRequest(const MoveTarget& target);
// By the label with the owner's uid that Kueue gives them. `version`: "v1beta2".
kube::ApiRequest WorkloadsRequest(const MoveTarget& target, std::string_view version);
kube::ApiRequest CommandsRequest(const MoveTarget& target);
// Owners of this kind in all namespaces that are being moved.
kube::ApiRequest MovingRequest(const OwnerShape& shape);

}  // namespace fairlead::extender
