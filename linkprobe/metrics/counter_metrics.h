// The series about this host's RDMA counters.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/metrics/family_set.h"
#include "linkprobe/counter_files/counter_watch.h"

namespace fairlead::linkprobe {

// A reading older than this is shown no more: what it said has ceased to be so.
inline constexpr Nanoseconds kCountersKept = Seconds(60);

// Every counter by its name in base units, with the labels device, port, source and counter, its
// name in the kernel; what is made of them; and how the readings go. `site` is this node's.
void AddCounterMetrics(const CounterState& state, const std::string& site, MonotonicTime now,
                       WallTime wall_now, FamilySet& out);

}  // namespace fairlead::linkprobe
