// What the API server tells of the owner of a gang.
#pragma once

#include <string>

#include "extender/gang/pod_facts.h"
#include "extender/relocation/lever_kind.h"

namespace fairlead::extender {

// The controller at the top of the chain above a gang's pods.
struct FoundOwner {
  OwnerFacts owner;
  bool has_workload = false;    // Kueue manages it
  bool wants_eviction = false;  // its annotation asks for eviction
  std::string moves{};          // the record of its moves; empty: none
};

// An owner whose record has a move that is open.
struct LeftOpen {
  std::string namespace_name;
  OwnerFacts owner;
  std::string moves;
};

}  // namespace fairlead::extender
