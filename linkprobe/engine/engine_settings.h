// What an engine is told at start.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "linkprobe/estimate/path_estimator.h"
#include "linkprobe/transport/transport.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

// A verified reply, as a watcher gets to see it. Valid during the call only.
struct SeenReply {
  const std::string& peer_node;
  const Packet& packet;
  const ReceivedPacket& raw;
  MonotonicTime sent{};  // the send stamp, or T1 where there is none
  ReplyOutcome outcome;
};

struct EngineSettings {
  std::uint64_t epoch = 0;               // random, new at each start of the program
  std::uint64_t seed = 0;                // of the sending times
  double probes_per_second = 10;         // per peer and path
  std::uint64_t probes_per_session = 0;  // on each path, then no more; 0: without end
  Nanoseconds report_window = Seconds(60);
  DetectorSettings detector{};
  // Shown each verified reply, if set; called on the engine's thread and must not wait.
  std::function<void(const SeenReply&)> on_reply{};
};

}  // namespace fairlead::linkprobe
