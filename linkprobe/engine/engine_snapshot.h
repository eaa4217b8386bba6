// What an engine knows, as one immutable value for every reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "linkprobe/detect/detector.h"
#include "linkprobe/ends/compare_ends.h"
#include "linkprobe/estimate/excess_histogram.h"
#include "linkprobe/estimate/path_totals.h"
#include "linkprobe/reflect/drop_reason.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

struct PathStatus {
  std::string peer_node;
  std::string peer_site;
  std::uint32_t path = 0;
  Nanoseconds floor_rtt{};  // 0: not known
  LinkMeasurement measurement{};
  PathVerdict verdict{};
  PathTotals totals{};
  ExcessHistogram excess{};
  std::optional<MonotonicTime> last_reply{};  // newest answered probe
  std::vector<EndDifference> differences{};   // between the ends of the session in force
};

// A session in which this node probes.
struct ProberSessionStatus {
  std::string peer_node;
  std::uint64_t session_id = 0;
  MonotonicTime opened{};
  std::optional<MonotonicTime> last_reply;  // in this session, on any path
};

// A session in which this node answers.
struct AnsweredSessionStatus {
  std::string peer_node;
  std::optional<MonotonicTime> last_probe;  // newest that was answered
};

// Counters since the engine's start; none of them ever falls.
struct EngineCounters {
  DropCounts refused{};  // packets that were not taken, by reason
  std::uint64_t replies_sent = 0;
  std::uint64_t send_failures = 0;
  std::uint64_t clock_steps = 0;    // this host's wall clock was set
  std::uint64_t rebuilds = 0;       // transports built after the first
  std::uint64_t lost_commands = 0;  // refused by a full mailbox
};

struct EngineSnapshot {
  MonotonicTime at{};
  TransportKind kind = TransportKind::kUdp;
  bool transport_up = false;
  std::string transport_error;  // why not, empty while up
  TransportRung rung = TransportRung::kUdpSw;
  std::optional<NicPort> nic;       // what all packets pass, if it is one port
  std::vector<Endpoint> endpoints;  // empty while down
  std::vector<ProberSessionStatus> sessions;
  std::vector<PathStatus> paths;
  std::vector<AnsweredSessionStatus> answered;
  ExcessHistogram lateness{};               // of the loop's own timed wake-ups, since the start
  std::optional<Nanoseconds> lateness_p90;  // over the last window, of 3 s at least
  EngineCounters counters;
};

}  // namespace fairlead::linkprobe
