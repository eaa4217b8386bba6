// What the pods of a gang tell of being moved.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/cost/communication_profile.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang/pod_wishes.h"

namespace fairlead::extender {

// Absent: not told.
struct MoveWishes {
  CommunicationProfile profile;
  LineLimits limits;
  std::optional<MigrationMode> mode;  // annotation migration

  bool writes_on_request = false;           // understands checkpoint-request
  std::optional<WallTime> last_checkpoint;  // when one was written
  std::optional<Nanoseconds> interval;      // checkpoint-interval, between two of them
  std::optional<Nanoseconds> write_time;    // checkpoint-write, for one
  std::optional<Nanoseconds> restart_time;  // from the pods' start to the first step
  std::optional<Nanoseconds> requeue_time;  // until all pods have a node
  std::optional<WallTime> expected_end;

  std::int32_t priority = 0;  // spec.priority
  std::string priority_class;
  // The first annotation about moving that cannot be read: name, value and remedy. Empty: all can.
  std::string fault;

  auto operator<=>(const MoveWishes&) const = default;
};

// Everything but priority and its class, which are no annotations.
MoveWishes ReadMoveWishes(const PodFacts& pod);

// What two members of a gang tell together: the least mode and priority, the newest checkpoint, the
// tighter limits, a fault of either; of all else the first that tells.
MoveWishes Joined(const MoveWishes& a, const MoveWishes& b);

}  // namespace fairlead::extender
