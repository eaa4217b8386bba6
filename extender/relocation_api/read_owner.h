// A gang's owner, as the API server tells it.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/result.h"
#include "extender/relocation/lever_kind.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/json_fields.h"

namespace fairlead::extender {

struct OwnerReading {
  OwnerState state;
  // Members that the gang should have now, without those whose Jobs have finished; 0 for a
  // TrainJob: its JobSet tells.
  std::uint32_t size = 0;
  OwnerFacts object;            // as it names itself
  OwnerFacts controller;        // of the owner; without a uid: none
  std::string managed_by;       // another controller than the kind's own; empty: none
  bool kueue_queue = false;     // labelled for a queue of Kueue
  bool wants_eviction = false;  // annotation migration-lever: evict
  StringMap pod_labels;         // by which it selects its pods, where it says so itself
};

// Of an object of that kind. One of another uid does not exist, since it is another one of the same
// name. `lever` says whose retries are told: those that an eviction or a Command takes.
// kInvalidArgument where the object is none, or not of that kind.
Result<OwnerReading> ReadOwner(const Json& object, const OwnerFacts& wanted, LeverKind lever);

// Members that a Job runs at once when it begins.
std::uint32_t SizeWhenStarted(const Json& job);

}  // namespace fairlead::extender
