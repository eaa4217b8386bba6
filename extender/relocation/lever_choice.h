// Which lever an owner offers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/result.h"
#include "extender/relocation/lever_kind.h"

namespace fairlead::extender {

// "batch" of "batch/v1"; empty: core.
std::string_view ApiGroupOf(std::string_view api_version);

// The controller at the top of the chain above the gang's pods.
struct ControllingOwner {
  std::string api_group;  // "batch", "jobset.x-k8s.io"; empty: core
  std::string kind;
  std::string name;
  std::string uid;              // empty: nothing controls the pods
  bool has_workload = false;    // Kueue manages it
  std::uint32_t gangs = 1;      // that it controls
  std::uint32_t strangers = 0;  // pods that claim the gang, but are controlled by something else
  bool wants_eviction = false;  // its annotation asks for eviction, where it may
};

// Kueue's before the owner's own, because Kueue owns that. kUnsupported says in one sentence why
// there is none: nothing controls the pods, pods of others claim the gang, several gangs have one
// owner, or the owner is of a kind that is not known to make its pods anew.
Result<LeverKind> ChooseLever(const ControllingOwner& owner);

}  // namespace fairlead::extender
