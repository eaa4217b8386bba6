#include "extender/migration/moving_cost.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/units/human.h"

namespace fairlead::extender {
namespace {

// Of a nonsensical time, too.
std::string Part(const SourcedTime& part, std::string_view what) {
  const std::string time = part.time < Nanoseconds(0) ? "less than 0 s" : HumanAge(part.time);
  return time + " " + std::string(what) + " (" + std::string(CostSourceName(part.source)) + ")";
}

}  // namespace

std::string_view CostSourceName(CostSource source) {
  switch (source) {
    case CostSource::kAnnotation:
      return "annotation";
    case CostSource::kObservation:
      return "observation";
    case CostSource::kDefault:
      return "default";
  }
  return "";
}

std::optional<Nanoseconds> TotalCost(const MovingCost& cost) {
  Nanoseconds sum{};
  for (const SourcedTime* part :
       {&cost.checkpoint_age, &cost.checkpoint_write, &cost.restart, &cost.requeue}) {
    if (part->time < Nanoseconds(0) || part->time > kMostMovingCost) return std::nullopt;
    sum += part->time;
  }
  return std::max(sum, kLeastMovingCost);
}

std::string CostText(const MovingCost& cost) {
  return Part(cost.checkpoint_age, "of work since the checkpoint") + ", " +
         Part(cost.checkpoint_write, "to write one") + ", " + Part(cost.restart, "to restart") +
         ", " + Part(cost.requeue, "to be placed");
}

}  // namespace fairlead::extender
