// What one judge thinks of a path at one step.
#pragma once

#include <string>

#include "common/link/link_state.h"

namespace fairlead::linkprobe {

struct Finding {
  LinkState state = LinkState::kHealthy;
  LinkReason reason = LinkReason::kNone;
  std::string evidence;  // one sentence, with its numbers
};

}  // namespace fairlead::linkprobe
