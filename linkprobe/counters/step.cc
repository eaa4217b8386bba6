#include "linkprobe/counters/step.h"

namespace fairlead::linkprobe {

CounterStep StepOf(std::uint64_t before, std::uint64_t now, const CounterMeaning& meaning,
                   double seconds, double most_per_second) {
  const auto possible = [&](std::uint64_t counted) {
    return static_cast<double>(counted) <= most_per_second * seconds;
  };
  if (now >= before) {
    if (meaning.sticks_at != 0 && now == meaning.sticks_at && before == now) {
      return {.kind = StepKind::kStuck};
    }
    if (!possible(now - before)) return {.kind = StepKind::kImpossible};
    return {.counted = now - before};
  }
  const std::uint64_t half = std::uint64_t{1} << (meaning.bits - 1);
  const bool too_wide = meaning.bits < 64 && (before >> meaning.bits) != 0;
  if (meaning.sticks_at != 0 || too_wide || before < half || now >= half) {
    return {.kind = StepKind::kReset};
  }
  // For 64 bits the difference comes round by itself.
  const std::uint64_t mask = half | (half - 1);
  const std::uint64_t counted = (now - before) & mask;
  if (!possible(counted)) return {.kind = StepKind::kReset};
  return {.kind = StepKind::kWrapped, .counted = counted};
}

}  // namespace fairlead::linkprobe
