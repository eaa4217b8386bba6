// From one reading of a counter to the next.
#pragma once

#include <cstdint>
#include <optional>

#include "linkprobe/counters/meaning.h"

namespace fairlead::linkprobe {

enum class StepKind {
  kAdvanced,
  kWrapped,     // came round once
  kReset,       // began anew at some time in between
  kStuck,       // stands at its greatest value and counts no more
  kImpossible,  // more than any port can do
};

struct CounterStep {
  StepKind kind = StepKind::kAdvanced;
  std::optional<std::uint64_t> counted{};  // in between; absent where that is not known
};

// `seconds` are those in between, above 0. `most_per_second` is in the counter's own unit. Pure.
//
// A value that is smaller than the one before has wrapped only if the counter is known to be so
// wide, stood in the upper half of its range, is in the lower half now, and can have counted so
// much in that time; else it was reset, and what was counted until then is not known. That a
// counter was reset and has passed its old value since shows only where that is impossible, or by
// the port's incarnation.
CounterStep StepOf(std::uint64_t before, std::uint64_t now, const CounterMeaning& meaning,
                   double seconds, double most_per_second);

}  // namespace fairlead::linkprobe
