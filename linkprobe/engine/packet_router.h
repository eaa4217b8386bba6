// From what a transport delivers to the half of the engine that it concerns.
#pragma once

#include "linkprobe/engine/prober.h"
#include "linkprobe/engine/responder.h"
#include "linkprobe/engine/sent_tokens.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

// Decodes, routes, and counts what belongs nowhere. Used by one thread.
class PacketRouter final : public TransportEvents {
 public:
  PacketRouter(Prober& prober, Responder& responder, const SentTokens& tokens)
      : prober_(prober), responder_(responder), tokens_(tokens) {}

  void OnReceived(const ReceivedPacket& packet) override;
  void OnSent(const SendStamp& stamp) override;
  void OnClockStep() override { ++clock_steps_; }

  std::uint64_t clock_steps() const { return clock_steps_; }

 private:
  Prober& prober_;
  Responder& responder_;
  const SentTokens& tokens_;
  std::uint64_t clock_steps_ = 0;
};

}  // namespace fairlead::linkprobe
