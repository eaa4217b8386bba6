// The answering half of an engine: the reflector with keys and return addresses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/auth/packet_key.h"
#include "linkprobe/engine/engine_command.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/engine/sent_tokens.h"
#include "linkprobe/reflect/reflector.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

// Answers go where the session set-up said, never to a packet's source. Used by one thread; reads
// no clock but the one given, and only to stamp.
class Responder {
 public:
  Responder(const Clock& clock, SentTokens& tokens) : clock_(clock), tokens_(tokens) {}

  // The transport to use from now on; null while there is none. Sessions end with their transport.
  void SetTransport(Transport* transport);

  // Starts a session; it replaces an earlier one of the same prober.
  Status Open(const OpenResponderSession& session, MonotonicTime now);
  // Ends the sessions of probers that are not in `nodes`.
  void Retain(const std::set<std::string>& nodes);

  // Answers a decoded probe, or counts why not.
  void OnProbe(const Packet& probe, const ReceivedPacket& raw);
  void OnSent(const SentPacket& packet, MonotonicTime sent);
  // Counts a packet that was not even a probe.
  void CountDrop(DropReason reason) { reflector_.CountDrop(reason); }
  // Ends idle sessions.
  void Tick(MonotonicTime now);

  void Describe(EngineSnapshot& snapshot) const;

 private:
  struct Session {
    std::string prober;
    PacketKey key;
    std::vector<std::shared_ptr<const Destination>> destinations;
    std::optional<MonotonicTime> last_probe;
  };

  std::optional<DropReason> Check(const Packet& probe, const ReceivedPacket& raw);

  const Clock& clock_;
  SentTokens& tokens_;
  Transport* transport_ = nullptr;
  Reflector reflector_;
  std::map<std::uint64_t, Session> sessions_;
  std::uint64_t send_failures_ = 0;
};

}  // namespace fairlead::linkprobe
