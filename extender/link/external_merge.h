// How far what others measured counts beside what our probes did.
#pragma once

#include "common/base/clock.h"
#include "extender/link/external_reading.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// Lists the fresh readings of the view's line in view.external and takes over those values that the
// view has not: a probe that measures, on whatever rung, always counts before them.
//   RTT          p50, age and rung (kPromql); a reading of the way back serves where there is none
//                of this one. Faster than light in fibre is refused.
//   loss         of its direction: ratio, and both bounds of it; without counts
//   utilisation  available = capacity x (1 - utilisation), where a capacity is declared
// The state stays what probes say, Unknown where there are none: a number alone is no judgement.
// `view` has its values, capacity and floor already.
void MergeExternal(const ExternalReadings& external, MonotonicTime now, LinkView& view);

}  // namespace fairlead::extender
