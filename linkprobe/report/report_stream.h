// The stream to the extender: reports go up, the probe plan comes down.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/session/plan.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

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
  std::string session_address;  // where peers reach this probe
  std::string software_version;
  std::uint32_t traffic_class = 0;
  Nanoseconds interval = Seconds(1);
};

// What the adapters around the stream provide; called on the stream's thread.
struct ReportPorts {
  std::function<Result<std::shared_ptr<grpc::Channel>>()> channel;
  // Puts the proof of this node on a call.
  std::function<Status(grpc::ClientContext&)> authorize;
  std::function<std::vector<ReportedHca>()> hcas;
};

struct ReportStatus {
  bool connected = false;
  std::string last_error;  // why not connected; empty while connected
  std::uint64_t connects = 0;
  std::uint64_t batches_sent = 0;
  std::uint64_t plans_taken = 0;
  std::uint64_t plans_ignored = 0;  // of an old term or revision
  std::uint64_t plans_refused = 0;  // malformed
};

// Runs on threads of its own from construction to destruction; a stream that breaks is opened anew
// from 500 ms up to 15 s later. The plan in force stays in force while there is no stream.
class ReportStream {
 public:
  // `engines` and `plan` outlive the stream, which is the plan's only writer.
  ReportStream(ReportSettings settings, ReportPorts ports, std::vector<ProbeEngine*> engines,
               Snapshot<Plan>& plan, const Clock& clock);
  ~ReportStream();

  // Thread-safe.
  ReportStatus status() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
