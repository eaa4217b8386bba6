// What moving a gang costs, and how long it will run on.
#pragma once

#include <optional>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/gang/move_wishes.h"
#include "extender/migration/moving_cost.h"

namespace fairlead::extender {

// By annotation where there is one, else by default. No work is lost where a checkpoint is written
// on request; else that since the last one; where only their interval is known, half of it, which
// is what is lost on average. A checkpoint of the future makes no sense, but for a minute by which
// clocks may differ.
MovingCost MovingCostOf(const MoveWishes& wishes, const MovingCostDefaults& defaults, WallTime now);

// Until the end that the pods tell; none once that has passed. Absent: they tell none.
std::optional<Nanoseconds> RemainingOf(const MoveWishes& wishes, WallTime now);

}  // namespace fairlead::extender
