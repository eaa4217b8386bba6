// The streams to all replicas of the extender, and the plan of the one that leads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/report/report_status.h"
#include "linkprobe/report/report_stream.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// What the adapters around provide; called on threads of the streams, several at a time.
struct ReplicaPorts {
  // "host:port" of each replica now. May wait.
  std::function<Result<std::vector<std::string>>()> addresses;
  std::function<Result<std::shared_ptr<grpc::Channel>>(const std::string& address)> channel;
  // Where peers reach this probe, as told to the replica at `address`.
  std::function<Result<std::string>(const std::string& address)> session_address;
  // Puts the proof of this node on a call.
  std::function<Status(grpc::ClientContext&)> authorize;
  std::function<std::vector<ReportedHca>()> hcas;
  // Counters of this host; empty: none are read.
  std::function<std::shared_ptr<const CounterState>()> counters{};
  // What bandwidth tests have found; empty: none are made.
  std::function<std::shared_ptr<const LeaseBook>()> leases{};
};

// From construction to destruction: a stream to each address, at most eight, each with threads and
// waits of its own, so that a replica that is gone or hangs delays nobody. Addresses are looked up
// again each minute and when a stream has ended; while that fails the ones before stay. Which plan
// is in force, PlanChoice says; it stays while there is no stream.
class ReplicaReports {
 public:
  // `engines`, `plan` and `clock` outlive this, which is the plan's only writer.
  ReplicaReports(ReportSettings settings, ReplicaPorts ports, std::vector<ProbeEngine*> engines,
                 Snapshot<Plan>& plan, const Clock& clock);
  ~ReplicaReports();

  // Thread-safe.
  ReportStatus status() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

// "host:port" of every address of the host in `address`. Looks a host name up, so it may wait.
Result<std::vector<std::string>> ReplicaAddresses(const std::string& address);

}  // namespace fairlead::linkprobe
