// The points in time of a Link's status: of the state, of the report, of its conditions.
#pragma once

#include <optional>
#include <string_view>

#include "common/base/clock.h"
#include "common/link/link_state.h"
#include "extender/link_status/link_object.h"

namespace fairlead::extender {

enum class ConditionStatus { kUnknown, kFalse, kTrue };

// "Unknown", "False", "True".
std::string_view ConditionStatusName(ConditionStatus status);

// Healthy is True while the state is Healthy, False while it is Degraded or Down, else Unknown.
// Fresh is True while both directions are reported.
struct LinkStamps {
  LinkState state = LinkState::kUnknown;
  WallTime since{};
  // `since` by this process's own count, as it was at its last write; absent where another replica
  // or an earlier process wrote it.
  std::optional<WallTime> counted_since;
  std::optional<WallTime> reported;  // of the older direction's newest report, also a past one
  ConditionStatus healthy = ConditionStatus::kUnknown;
  WallTime healthy_since{};
  ConditionStatus fresh = ConditionStatus::kUnknown;
  WallTime fresh_since{};
};

// Stamps of `object` at `now`; `before` is what the API server has of it, if anything.
//
// A process knows a state only since it began to follow the links, so `since` of another one's
// write stays where the state is the same and its last report is at most 10 minutes before that.
// Stays of a condition's status keep their time.
LinkStamps StampsOf(const LinkObject& object, const std::optional<LinkStamps>& before,
                    WallTime now);

}  // namespace fairlead::extender
