#include "extender/migration_round/moving_cost_of.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kClocksDiffer = Seconds(60);

SourcedTime Told(const std::optional<Nanoseconds>& told, Nanoseconds otherwise) {
  if (told) return {*told, CostSource::kAnnotation};
  return {otherwise, CostSource::kDefault};
}

std::optional<Nanoseconds> CheckpointAge(const MoveWishes& wishes, WallTime now) {
  if (wishes.writes_on_request) return Nanoseconds(0);
  if (wishes.last_checkpoint) {
    const Nanoseconds age = now - *wishes.last_checkpoint;
    return age < Nanoseconds(0) && age >= -kClocksDiffer ? Nanoseconds(0) : age;
  }
  if (wishes.interval) return *wishes.interval / 2;
  return std::nullopt;
}

}  // namespace

MovingCost MovingCostOf(const MoveWishes& wishes, const MovingCostDefaults& defaults,
                        WallTime now) {
  return {.checkpoint_age = Told(CheckpointAge(wishes, now), defaults.checkpoint_age),
          .checkpoint_write = Told(wishes.write_time, defaults.checkpoint_write),
          .restart = Told(wishes.restart_time, defaults.restart),
          .requeue = Told(wishes.requeue_time, defaults.requeue)};
}

std::optional<Nanoseconds> RemainingOf(const MoveWishes& wishes, WallTime now) {
  if (!wishes.expected_end) return std::nullopt;
  return std::max(Nanoseconds(*wishes.expected_end - now), Nanoseconds(0));
}

}  // namespace fairlead::extender
