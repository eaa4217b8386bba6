// Two probes that a person starts by hand, with a shared key file instead of an extender's plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/cli/command_line.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/session/session_desk.h"

namespace fairlead::linkprobe {

// The names of the two ends in their two-node plan.
inline constexpr char kAdHocProber[] = "ping";
inline constexpr char kAdHocResponder[] = "respond";

// The key in the file without surrounding white space; at least 16 bytes. Refuses a file that
// group or others may read.
Result<std::vector<std::uint8_t>> ReadKeyFile(const std::string& path);

// One end: engines, a plan of one peer, and the desk.
struct AdHocNode {
  SystemClock clock;
  Snapshot<Plan> plan;
  std::vector<std::unique_ptr<ProbeEngine>> engines;  // in order of preference
  std::unique_ptr<SessionDesk> desk;

  std::vector<ProbeEngine*> EnginePointers() const;
};

// `settings.epoch` names this start. `peer_address` is where the peer serves sessions; for a
// responder it only tells which of this host's addresses to give out.
Result<std::unique_ptr<AdHocNode>> MakeAdHocNode(const AdHocOptions& options,
                                                 const EngineSettings& settings,
                                                 const char* own_name, PlannedPeer peer);

}  // namespace fairlead::linkprobe
