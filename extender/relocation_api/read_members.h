// A gang's pods, and the budgets over them, as the API server tells them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/json_fields.h"

namespace fairlead::extender {

using SiteOfNode = std::function<std::string_view(std::string_view node)>;

// A pod, and what budgets select it by.
struct MemberReading {
  PodState state;
  StringMap labels;
};

// Adds the pod if one of these uids controls it and it has not ended. kInvalidArgument where it has
// no name or uid.
Status AddMember(const Json& pod, const std::set<std::string>& controllers,
                 const SiteOfNode& site_of, std::vector<MemberReading>& members);

// A PodDisruptionBudget as it is when all of these are to be evicted. One that cannot be read, or
// whose status is of an older spec, allows nothing, and its name says so; one whose selector cannot
// be read covers all of them.
BudgetState ReadBudget(const Json& budget, const std::vector<MemberReading>& members);

}  // namespace fairlead::extender
