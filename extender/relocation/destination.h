// Where the pods of a gang that was moved are to go.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

struct MoveTimes {
  Nanoseconds exclusion = Seconds(6 * 3600);  // of what was left
  Nanoseconds patience = Seconds(300);        // for the place that was decided, see BindsFor
};

struct Destination {
  std::uint32_t move = 0;  // its number; 0: the gang was never moved
  // The move is under way: its pods go to `to` and wait for room there. False also once they have
  // waited in vain for BindsFor.
  bool binds = false;
  SiteCounts to;
  std::vector<std::string> old;  // PodPrint of pods that are to go, as far as they are named
  // Left within MoveTimes::exclusion, so that no plan is made across them as long as there is any
  // other. Sorted.
  std::vector<SitePair> left;
};

// How long after the gang was started again its pods wait for the place that was decided: the
// patience; and where its members were evicted the time that the Job controller lets pass before it
// makes failed pods anew, 10 s doubled with each failure to 10 min at most (job_controller.go,
// MaxJobPodFailureBackOff).
Nanoseconds BindsFor(LeverKind lever, const MoveTimes& times);

Destination DestinationOf(const MoveHistory& moves, const MoveTimes& times, WallTime now);

// Whether a bound pod is one of after the move.
bool IsOfAfter(const Destination& destination, std::string_view uid, std::string_view site);

}  // namespace fairlead::extender
