// Whether a program's loops still come round.
#pragma once

#include <vector>

#include "common/base/clock.h"
#include "common/ops/ops_server.h"

namespace fairlead {

// When a loop last came round, and how long it may take.
struct LoopTurn {
  const char* name = "";
  MonotonicTime last_turn{};
  Nanoseconds allowed{};
};

// Well while every loop comes round in time; else names the first that does not. Pure.
Health LoopsAreTurning(const std::vector<LoopTurn>& loops, MonotonicTime now);

}  // namespace fairlead
