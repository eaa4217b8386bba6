// What goes to the extender about this node's own counters.
#pragma once

#include "common/base/clock.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/counter_files/counter_watch.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

// Counters that are older tell nothing any more.
inline constexpr Nanoseconds kOldestTraffic = Seconds(60);

// Sets `traffic` of the batch where there is something to tell that is not too old.
void FillTraffic(const CounterState& state, MonotonicTime now, v1::ReportBatch& out);

// Adds to the evidence of a path that begins at `nic` that packets are sent again which had arrived
// (spurious retransmission), where that is seen and the path is long enough to be concerned.
void AddResending(const CounterState& state, const NicPort& nic, MonotonicTime now,
                  v1::LinkReport& link);

}  // namespace fairlead::linkprobe
