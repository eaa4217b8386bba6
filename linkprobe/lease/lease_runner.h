// Runs the bandwidth tests that the extender grants.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "linkprobe/bandwidth/lease_book.h"
#include "linkprobe/saturate/round_trip_tap.h"
#include "linkprobe/session/measure_desk.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {

struct LeaseSettings {
  std::string node;
  std::string device{};  // RDMA device of saturation tests; empty: the best usable one
  std::uint8_t traffic_class = 0;
  std::string ledger_file;
};

// A thread that looks twice a second whether the plan brings a lease, runs each lease once, and
// ends its test when the plan in force has it no more or its time is over. A test needs the round
// trips of the probes that go to its peer anyway, which `tap` gets from the engines. What was spent
// is on disk before it is sent, so that a restart spends nothing twice.
class LeaseRunner {
 public:
  // All references outlive it. While others test with this node, as `desk` knows, leases are
  // refused.
  LeaseRunner(LeaseSettings settings, const Snapshot<Plan>& plan, ChannelFactory channels,
              RoundTripTap& tap, const MeasureDesk& desk, const Clock& clock);
  ~LeaseRunner();

  // Never null. Thread-safe.
  std::shared_ptr<const LeaseBook> Latest() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
