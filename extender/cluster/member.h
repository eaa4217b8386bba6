// A pod as the state of the cluster keeps it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/move_wishes.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// What pods of one job have in common is shared, so pointers compare as values do.
struct Member {
  std::string uid;
  std::string name;
  std::string node;  // empty: pending
  std::shared_ptr<const PodNeeds> needs;
  std::shared_ptr<const OwnerFacts> controller;
  std::shared_ptr<const GangKey> gang;  // null: of none
  std::optional<std::uint32_t> size;    // of the gang, by the pod's own word
  std::optional<std::uint32_t> rank;
  std::shared_ptr<const MoveWishes> wishes;  // null: of no gang
  std::optional<WallTime> ready_since;       // absent: not ready, or not told when
  bool ready = false;
  bool terminating = false;

  bool operator==(const Member&) const = default;
};

}  // namespace fairlead::extender
