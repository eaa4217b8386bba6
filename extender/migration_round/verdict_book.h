// What of a round's verdicts is new, and worth telling.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_event.h"
#include "extender/cluster/gang_view.h"
#include "extender/gang/gang_key.h"
#include "extender/migration/migration_decider.h"
#include "extender/migration/reason.h"

namespace fairlead::extender {

struct VerdictChange {
  std::size_t gang = 0;                   // its place in the round
  std::optional<MigrationReason> before;  // absent: it is judged for the first time
};

struct VerdictNews {
  std::vector<MonotonicTime> since;  // of each verdict's reason, in the order of the round
  std::vector<VerdictChange> changes;
  std::vector<VerdictChange> told;  // of them those that a person should hear of
};

// Single-threaded and bounded by the gangs there are. A change is told once, unless it takes a gang
// back to where it was not long ago: a reason that comes and goes is told again after kTellAgain.
class VerdictBook {
 public:
  static constexpr Nanoseconds kTellAgain = Seconds(600);

  VerdictNews Note(const std::vector<MigrationVerdict>& verdicts, MonotonicTime now);

 private:
  struct Entry {
    MigrationReason reason = MigrationReason::kOff;
    MonotonicTime since{};
    MonotonicTime seen{};
    std::map<MigrationReason, MonotonicTime> told;
  };
  std::map<GangKey, Entry> entries_;
};

// The Event about a verdict, on the gang's owner; absent where nobody need act on it or know it, or
// there is no owner to tell it of.
std::optional<ClusterEvent> EventOf(const MigrationVerdict& verdict, const GangOwner& owner);

}  // namespace fairlead::extender
