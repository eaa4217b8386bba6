#include "linkprobe/cli/respond.h"

#include <grpcpp/security/server_credentials.h>

#include <cstdio>

#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/session_server.h"
#include "linkprobe/transport/open_bulk.h"
#include "linkprobe/udp/train_socket.h"

namespace fairlead::linkprobe {

Status RunRespond(const RespondCommand& command, const sigset_t& signals) {
  EngineSettings settings;
  settings.epoch = RandomId();
  settings.seed = RandomId();
  PlannedPeer peer;
  peer.node = kAdHocProber;
  auto node = MakeAdHocNode(command.options, settings, kAdHocResponder, peer);
  if (!node) return Fail(node.error());
  MeasureDesk measure(kAdHocResponder, (*node)->plan,
                      {.bulk = BulkReceivers(command.options.device, command.options.traffic_class),
                       .train = CreateTrainReceiver},
                      (*node)->clock);
  // The set-up carries a mac on every message and no secret, so plain text is enough by hand.
  auto server = SessionServer::Start(command.listen, grpc::InsecureServerCredentials(),
                                     *(*node)->desk, &measure);
  if (!server) return Fail(server.error());
  std::printf("answering pings and bandwidth tests on port %d; stop with Ctrl-C\n",
              (*server)->port());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  return {};
}

}  // namespace fairlead::linkprobe
