// One lease from its arrival to its outcome.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "common/base/clock.h"
#include "linkprobe/bandwidth/lease_book.h"
#include "linkprobe/lease/lease_runner.h"
#include "linkprobe/session/bandwidth_lease.h"

namespace fairlead::linkprobe {

// What a test works with; all references outlive it.
struct LeaseRim {
  const LeaseSettings& settings;
  const Snapshot<Plan>& plan;
  const ChannelFactory& channels;
  RoundTripTap& tap;
  const MeasureDesk& desk;
  const Clock& clock;
  // What today's tests have cost changed.
  std::function<void(DailyLedger)> spent;
};

struct LeaseFinding {
  LeaseOutcome outcome;
  std::string peer_site{};
  std::optional<FoundRate> rate{};
};

// Waits until the test is over, at most for the lease's duration from `arrived` and what a call to
// the peer takes.
LeaseFinding RunLease(const BandwidthLease& lease, MonotonicTime arrived, const LeaseRim& rim,
                      const std::stop_token& stop);

}  // namespace fairlead::linkprobe
