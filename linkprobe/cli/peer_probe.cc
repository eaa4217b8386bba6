#include "linkprobe/cli/peer_probe.h"

#include <grpcpp/security/credentials.h>

#include <utility>

#include "linkprobe/session/handshake.h"

namespace fairlead::linkprobe {

PeerProbe::PeerProbe(std::string peer, std::unique_ptr<AdHocNode> node,
                     const EngineSettings& settings)
    : peer_(std::move(peer)),
      node_(std::move(node)),
      dialer_(
          {.node = kAdHocProber, .epoch = settings.epoch}, node_->plan, node_->EnginePointers(),
          settings.probes_per_second, *node_->desk,
          [](const std::string& address) {
            return MakeChannel(address, grpc::InsecureChannelCredentials());
          },
          node_->clock) {}

Result<std::unique_ptr<PeerProbe>> PeerProbe::Start(const AdHocOptions& options,
                                                    EngineSettings settings,
                                                    const std::string& peer) {
  settings.epoch = RandomId();
  settings.seed = RandomId();
  PlannedPeer planned;
  planned.node = kAdHocResponder;
  planned.session_address = peer;
  planned.probe = true;
  auto node = MakeAdHocNode(options, settings, kAdHocProber, planned);
  if (!node) return Fail(node.error());
  return std::unique_ptr<PeerProbe>(new PeerProbe(peer, std::move(*node), settings));
}

std::shared_ptr<const EngineSnapshot> PeerProbe::Latest() const {
  for (const auto& engine : node_->engines) {
    auto state = engine->Latest();
    if (!state->paths.empty()) return state;
  }
  return nullptr;
}

std::string PeerProbe::LastError() const {
  const auto dials = dialer_.Latest();  // kept: the dialer publishes a new map meanwhile
  for (const auto& [name, dial] : *dials) {
    if (!dial.last_error.empty()) return dial.last_error;
  }
  return {};
}

}  // namespace fairlead::linkprobe
