// What a gang loses when it is moved, in time.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"

namespace fairlead::extender {

enum class CostSource { kAnnotation, kObservation, kDefault };

// "annotation", "observation", "default".
std::string_view CostSourceName(CostSource source);

struct SourcedTime {
  Nanoseconds time{};
  CostSource source = CostSource::kDefault;
};

struct MovingCost {
  SourcedTime checkpoint_age;    // work since the last one; 0 where one is written on request
  SourcedTime checkpoint_write;  // how long the gang stands still for one
  SourcedTime restart;           // from its pods' start to its first step
  SourcedTime requeue;           // until all its pods have a node
};

// Nothing that stops and starts a gang takes less; it also keeps a cost of zero from moving gangs
// at every tremor.
inline constexpr Nanoseconds kLeastMovingCost = Seconds(30);
// What is said to take longer is taken for a mistake.
inline constexpr Nanoseconds kMostMovingCost = Seconds(30 * 24 * 3600);

// The sum, at least kLeastMovingCost. Nothing where a part is negative or above kMostMovingCost.
std::optional<Nanoseconds> TotalCost(const MovingCost& cost);

// "15 min since the checkpoint (default), 60 s to write one (annotation), ...".
std::string CostText(const MovingCost& cost);

}  // namespace fairlead::extender
