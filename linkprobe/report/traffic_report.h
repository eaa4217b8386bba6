// What goes to the extender about this node's own counters.
#pragma once

#include "common/base/clock.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/counter_files/counter_watch.h"

namespace fairlead::linkprobe {

// Counters that are older tell nothing any more.
inline constexpr Nanoseconds kOldestTraffic = Seconds(60);

// Sets `traffic` of the batch where there is something to tell that is not too old.
void FillTraffic(const CounterState& state, MonotonicTime now, v1::ReportBatch& out);

}  // namespace fairlead::linkprobe
