// Probing one peer by hand: its engines, its plan, and the dialer that keeps a session.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {

class PeerProbe {
 public:
  // Begins to dial `peer`, the host:port of its `respond`, and probes it once it answers.
  // `settings.epoch` and `settings.seed` are chosen here.
  static Result<std::unique_ptr<PeerProbe>> Start(const AdHocOptions& options,
                                                  EngineSettings settings, const std::string& peer);

  // What the engine that has a session with the peer knows; null while there is none.
  std::shared_ptr<const EngineSnapshot> Latest() const;
  // Why the last attempt to reach the peer failed; empty where it did not.
  std::string LastError() const;

  const Clock& clock() const { return node_->clock; }
  const std::string& peer() const { return peer_; }

 private:
  PeerProbe(std::string peer, std::unique_ptr<AdHocNode> node, const EngineSettings& settings);

  const std::string peer_;
  const std::unique_ptr<AdHocNode> node_;
  const SessionDialer dialer_;
};

}  // namespace fairlead::linkprobe
