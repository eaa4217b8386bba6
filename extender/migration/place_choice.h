// Which of a gang's places are worth going to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extender/migration/assessment.h"

namespace fairlead::extender {

// Places other than its own whose step is shorter by at least `better_by` (0: by anything) on lines
// that are all known to be well, in the order given.
std::vector<const Place*> BetterPlaces(const GangCondition& gang, double better_by,
                                       const Surroundings& around);

struct PlaceBlock {
  MigrationReason reason = MigrationReason::kPlaceLeft;
  std::string sentence;
  Nanoseconds ends_in{};
};

// What keeps the gang from this place for now: it was left within config.exclusion, or crosses a
// line that was; or another gang went to one of its new sites within config.destination_cooldown.
std::optional<PlaceBlock> BlockOf(const GangCondition& gang, const Place& place,
                                  const Surroundings& around);

}  // namespace fairlead::extender
