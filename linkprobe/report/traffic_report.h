// What goes to the extender about this node's own counters.
#pragma once

#include "common/base/clock.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/counter_files/counter_watch.h"

namespace fairlead::linkprobe {

// Sets `traffic` of the batch where there is something to tell that is at most a minute old.
void FillTraffic(const CounterState& state, MonotonicTime now, v1::ReportBatch& out);

}  // namespace fairlead::linkprobe
