#include "extender/link_status/link_stamps.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kLongestGap = std::chrono::minutes(10);
// Ages and wall clock are read one after the other, and written in whole seconds.
constexpr Nanoseconds kCountNoise = Seconds(2);

ConditionStatus HealthyStatus(LinkState state) {
  switch (state) {
    case LinkState::kHealthy:
      return ConditionStatus::kTrue;
    case LinkState::kDegraded:
    case LinkState::kDown:
      return ConditionStatus::kFalse;
    case LinkState::kUnknown:
    case LinkState::kSuspect:
      return ConditionStatus::kUnknown;
  }
  return ConditionStatus::kUnknown;
}

// Whether the state that was written has stood until the one counted now.
bool Stands(const LinkStamps& before, WallTime counted) {
  if (before.counted_since) {
    const Nanoseconds apart = counted - *before.counted_since;
    return std::max(apart, -apart) <= kCountNoise;
  }
  return before.reported && counted - *before.reported <= kLongestGap;
}

}  // namespace

std::string_view ConditionStatusName(ConditionStatus status) {
  switch (status) {
    case ConditionStatus::kUnknown:
      return "Unknown";
    case ConditionStatus::kFalse:
      return "False";
    case ConditionStatus::kTrue:
      return "True";
  }
  return "";
}

LinkStamps StampsOf(const LinkObject& object, const std::optional<LinkStamps>& before,
                    WallTime now) {
  const LinkWay& worse = WorseWay(object);
  const WallTime counted = now - worse.state_age.value_or(Nanoseconds::zero());
  LinkStamps stamps{.state = worse.state,
                    .since = counted,
                    .counted_since = counted,
                    .reported = std::nullopt,
                    .healthy = HealthyStatus(worse.state),
                    .healthy_since = now,
                    .fresh = IsFresh(object) ? ConditionStatus::kTrue : ConditionStatus::kFalse,
                    .fresh_since = now};
  if (IsFresh(object)) {
    stamps.reported = now - std::max(*object.forward.report_age, *object.reverse.report_age);
  }
  if (!before) return stamps;
  if (before->state == stamps.state && Stands(*before, counted)) {
    stamps.since = before->counted_since ? before->since : std::min(before->since, counted);
  }
  if (!stamps.reported) stamps.reported = before->reported;
  if (before->healthy == stamps.healthy) stamps.healthy_since = before->healthy_since;
  if (before->fresh == stamps.fresh) stamps.fresh_since = before->fresh_since;
  return stamps;
}

}  // namespace fairlead::extender
