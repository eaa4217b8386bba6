// The single-threaded halves of an engine on a fake network, and a pair of them in a session.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "linkprobe/engine/packet_router.h"
#include "tests/linkprobe/fakes/fake_network.h"

namespace fairlead::linkprobe {

// Everything an engine has but its thread.
struct ProbeHost {
  ProbeHost(FakeNetwork& n, const std::string& host_name, std::uint64_t epoch,
            std::uint32_t paths = 1)
      : network(n),
        name(host_name),
        settings{.epoch = epoch, .seed = epoch},
        prober(settings, n.clock(), tokens),
        responder(n.clock(), tokens),
        router(prober, responder, tokens),
        transport(n.Open(host_name, paths)) {
    prober.SetTransport(transport.get());
    responder.SetTransport(transport.get());
  }
  ~ProbeHost() {
    prober.SetTransport(nullptr);
    responder.SetTransport(nullptr);
  }

  void Turn() {
    network.Deliver(name, router);
    prober.SendDue(network.clock().Now());
    prober.Tick(network.clock().Now());
  }
  EngineSnapshot Describe() const {
    EngineSnapshot snapshot;
    prober.Describe(network.clock().Now(), snapshot);
    responder.Describe(snapshot);
    return snapshot;
  }
  std::uint64_t Refused(DropReason reason) const {
    return Describe().counters.refused[static_cast<std::size_t>(reason)];
  }

  FakeNetwork& network;
  const std::string name;
  EngineSettings settings;
  SentTokens tokens;
  Prober prober;
  Responder responder;
  PacketRouter router;
  std::unique_ptr<Transport> transport;
};

inline const std::vector<std::uint8_t> kPairKey(32, 0x5a);

// `prober` probes `responder` under `session_id`.
inline void OpenSession(ProbeHost& prober, ProbeHost& responder, std::uint64_t session_id,
                        const std::vector<std::uint8_t>& responder_key = kPairKey) {
  const auto paths = static_cast<std::uint8_t>(prober.transport->LocalEndpoints().size());
  const MonotonicTime now = prober.network.clock().Now();
  ASSERT_TRUE(responder.responder.Open({.grant = {.session_id = session_id,
                                                  .prober = prober.name,
                                                  .prober_epoch = prober.settings.epoch,
                                                  .key_id = 1,
                                                  .paths = paths},
                                        .key = responder_key,
                                        .endpoints = prober.transport->LocalEndpoints()},
                                       now));
  ASSERT_TRUE(prober.prober.Open({.peer_node = responder.name,
                                  .peer_site = "site-" + responder.name,
                                  .session_id = session_id,
                                  .peer_epoch = responder.settings.epoch,
                                  .key_id = 1,
                                  .key = kPairKey,
                                  .endpoints = responder.transport->LocalEndpoints()},
                                 now));
}

// Lets both run for this long in steps of 1 ms.
inline void RunFor(ProbeHost& a, ProbeHost& b, Nanoseconds duration) {
  for (Nanoseconds passed{}; passed < duration; passed += Milliseconds(1)) {
    a.network.clock().Advance(Milliseconds(1));
    a.Turn();
    b.Turn();
  }
}

}  // namespace fairlead::linkprobe
