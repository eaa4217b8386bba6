// What a lever needs to be allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "common/kube/api_request.h"
#include "extender/relocation_api/json_fields.h"
#include "extender/relocation_api/move_requests.h"

namespace fairlead::extender {

struct MoveRight {
  std::string_view verb;
  std::string api_group;
  std::string resource;
  std::string_view subresource{};
};

// Of the calls that the target's lever makes, and of checkpoint-request where one is asked for.
std::vector<MoveRight> RightsOf(const MoveTarget& target, bool checkpoint);
// SelfSubjectAccessReview.
kube::ApiRequest ReviewRequest(const MoveTarget& target, const MoveRight& right);
// kInvalidArgument where the answer is none.
Result<bool> ReadReview(const Json& answer);

// "patch jobs.batch", "create pods/eviction".
std::string Named(const MoveRight& right);
// The sentence about those that are missing; empty where there are none.
std::string MissingRights(const std::vector<MoveRight>& missing, std::string_view namespace_name);

}  // namespace fairlead::extender
