// What goes to the extender about bandwidth.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/bandwidth/lease_book.h"
#include "linkprobe/counter_files/counter_watch.h"

namespace fairlead::linkprobe {

// What this node sends at most over any line, where its counters tell and are not too old.
void FillUse(const CounterState& counters, MonotonicTime now, v1::LinkReport& out);

// What tests of the line to `peer_site` have found.
void FillTests(const LeaseBook& book, const std::string& peer_site, MonotonicTime now,
               v1::LinkReport& out);

// What became of leases, and what tests have cost.
void FillLeases(const LeaseBook& book, v1::ReportBatch& out);

}  // namespace fairlead::linkprobe
