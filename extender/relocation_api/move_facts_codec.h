// A Job and its pods, as the API server tells them, for a relocation.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "extender/relocation/move_facts.h"

namespace fairlead::extender {

// What is known of a Job, and how many members its gang should have now.
struct OwnerFactsOfMove {
  OwnerState owner;
  std::uint32_t size = 0;
};

// Of one Job with this uid; one of another uid is not there, since it is another one of the same
// name. kInvalidArgument where the answer is none.
Result<OwnerFactsOfMove> ReadOwner(const std::string& text, std::string_view uid);

// Of a PodList those that this Job controls and that have not ended, by name.
using SiteOfNode = std::function<std::string_view(std::string_view node)>;
Result<std::vector<PodState>> ReadPods(const std::string& text, std::string_view owner_uid,
                                       const SiteOfNode& site_of);

}  // namespace fairlead::extender
