// A gang as the cluster shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/move_wishes.h"
#include "extender/gang_plan/node_capacity.h"
#include "extender/gang_plan/plan_in_force.h"
#include "extender/relocation/recorded_moves.h"

namespace fairlead::extender {

// Where a gang's size comes from.
enum class SizeSource { kNone, kPod, kPodGroup, kJob };

// The object at the top of those that control the gang's pods, as far as that is known.
struct GangOwner {
  OwnerFacts object;      // without a uid: nothing controls them, or different things do
  RecordedMoves moves;    // its annotation kMovesAnnotation
  bool followed = false;  // the object itself is known, so that no annotation is none

  bool operator==(const GangOwner&) const = default;
};

struct GangView {
  GangKey key;
  // Members to be placed together; never fewer than are bound and pending. Absent: nothing tells.
  std::optional<std::uint32_t> size;
  SizeSource size_source = SizeSource::kNone;
  // What PodGroup or Jobs tell of the size, where that is beyond kMostGangMembers, and so no size:
  // "its Job runs 2147483647 pods at once". Empty: nothing of the kind.
  std::string size_fault;
  std::vector<BoundMember> bound;  // by uid, without those that are terminating
  std::uint32_t pending = 0;       // members without a node
  std::uint32_t terminating = 0;   // still on their nodes
  std::uint32_t strangers = 0;     // pods that claim the gang, but belong elsewhere: not members
  std::string stranger;            // one of them and why it is none
  // Of a pending member, else of any, those that can be read before others; null where it has none.
  std::shared_ptr<const PodNeeds> needs;
  bool suspended = false;  // by its Job

  // What its members tell of being moved, together; null where it has none.
  std::shared_ptr<const MoveWishes> wishes;
  std::uint32_t ready = 0;      // of `bound`
  std::uint32_t succeeded = 0;  // pods of its Jobs that have ended well
  // Since when all of `bound` have been ready; absent: some are not, or do not tell.
  std::optional<WallTime> running_since;
  GangOwner owner;

  // Against which claims are judged: what controls the gang's PodGroup or Job; without a uid:
  // nothing, or neither is known.
  OwnerFacts controller;
  bool of_known_job = false;  // a Job's own gang, and the Job is known

  bool operator==(const GangView&) const = default;
};

}  // namespace fairlead::extender
