// The stream to one replica of the extender: reports go up, the probe plan comes down.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/lease_book.h"
#include "linkprobe/counter_files/counter_watch.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/report/report_status.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

namespace fairlead::v1 {
class ProbePlan;
}  // namespace fairlead::v1

namespace fairlead::linkprobe {

// One RDMA port as the extender is told of it.
struct ReportedHca {
  std::string device;
  std::uint32_t port = 1;
  std::string gid{};  // empty where none is usable
  std::uint32_t gid_index = 0;
  std::uint32_t active_mtu_bytes = 0;
  bool active = false;
};

struct ReportSettings {
  std::string node;
  std::uint64_t epoch = 0;
  std::string software_version;
  std::uint32_t traffic_class = 0;
  Nanoseconds interval = Seconds(1);
};

// What is around the stream; called on the stream's threads, one at a time.
struct ReportPorts {
  std::function<Result<std::shared_ptr<grpc::Channel>>()> channel;
  // "host:port" where peers reach this probe.
  std::function<Result<std::string>()> session_address;
  // Puts the proof of this node on a call.
  std::function<Status(grpc::ClientContext&)> authorize;
  std::function<std::vector<ReportedHca>()> hcas;
  // A stream begins, brings a plan, has ended. Each Opened is followed by one Closed.
  std::function<void()> opened;
  std::function<void(const v1::ProbePlan&)> plan;
  std::function<void()> closed;
  // Counters of this host; empty: none are read.
  std::function<std::shared_ptr<const CounterState>()> counters{};
  // What bandwidth tests have found; empty: none are made.
  std::function<std::shared_ptr<const LeaseBook>()> leases{};
};

// Runs on threads of its own from construction to destruction; a stream that breaks is opened anew
// from 500 ms up to 15 s later.
class ReportStream {
 public:
  // `engines` and `clock` outlive the stream. `name` of the replica is for the log.
  ReportStream(ReportSettings settings, std::string name, ReportPorts ports,
               std::vector<ProbeEngine*> engines, const Clock& clock);
  ~ReportStream();

  // Thread-safe.
  StreamStatus status() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
