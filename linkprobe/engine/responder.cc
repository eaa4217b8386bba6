#include "linkprobe/engine/responder.h"

#include <algorithm>
#include <utility>

#include "linkprobe/engine/stamp.h"

namespace fairlead::linkprobe {

void Responder::SetTransport(Transport* transport) {
  Retain({});
  transport_ = transport;
}

Status Responder::Open(const OpenResponderSession& session, MonotonicTime now) {
  if (transport_ == nullptr) return Fail(ErrorCode::kUnavailable, "the transport is down");
  auto key = PacketKey::Create(session.grant.key_id, session.key);
  if (!key) return Fail(key.error());
  std::vector<std::shared_ptr<const Destination>> destinations;
  const std::size_t count =
      std::min(session.endpoints.size(), static_cast<std::size_t>(session.grant.paths));
  for (std::uint32_t path = 0; path < count; ++path) {
    auto resolved = transport_->Resolve(path, session.endpoints[path]);
    if (!resolved) return Fail(resolved.error().Within("path " + std::to_string(path)));
    destinations.push_back(std::move(*resolved));
  }
  if (auto opened = reflector_.Open(session.grant, now); !opened) return opened;
  std::erase_if(sessions_,
                [&](const auto& entry) { return entry.second.prober == session.grant.prober; });
  sessions_.emplace(session.grant.session_id, Session{.prober = session.grant.prober,
                                                      .key = std::move(*key),
                                                      .destinations = std::move(destinations),
                                                      .last_probe = std::nullopt});
  return {};
}

void Responder::Retain(const std::set<std::string>& nodes) {
  std::erase_if(sessions_, [&](const auto& entry) {
    if (nodes.contains(entry.second.prober)) return false;
    reflector_.Close(entry.first);
    return true;
  });
}

std::optional<DropReason> Responder::Check(const Packet& probe, const ReceivedPacket& raw) {
  const auto session = sessions_.find(probe.session_id);
  if (session == sessions_.end()) return DropReason::kUnknownSession;
  if (probe.key_id != session->second.key.id()) return DropReason::kWrongKey;
  if (!session->second.key.Verify(raw.bytes)) return DropReason::kBadMac;
  // The path index names the queue the packet came in by, or it was meant for another.
  if (probe.path != raw.path || probe.path >= session->second.destinations.size()) {
    return DropReason::kUnknownPath;
  }
  return std::nullopt;
}

void Responder::OnProbe(const Packet& probe, const ReceivedPacket& raw) {
  if (const auto refused = Check(probe, raw)) return reflector_.CountDrop(*refused);
  ProbeArrival arrival;
  arrival.t3 = ToStamp(raw.received);
  const TransportRung rung = transport_->rung();
  arrival.hardware_stamps = rung == TransportRung::kRdmaUdHw || rung == TransportRung::kUdpHw;
  arrival.hop_limit = raw.hop_limit;
  arrival.tos = raw.traffic_class;
  auto reply = reflector_.OnProbe(probe, arrival, clock_.Now());
  if (!reply) return;
  Session& session = sessions_.at(probe.session_id);
  session.last_probe = raw.received;
  reply->t4 = ToStamp(clock_.Now());
  PacketBytes bytes = Encode(*reply);
  const std::uint64_t token = tokens_.Remember({.reply = true,
                                                .session_id = probe.session_id,
                                                .path = probe.path,
                                                .sequence = probe.sequence});
  if (!session.key.Seal(bytes) ||
      !transport_->Send(probe.path, *session.destinations[probe.path], bytes, token)) {
    ++send_failures_;
  }
}

void Responder::OnSent(const SentPacket& packet, MonotonicTime sent) {
  reflector_.OnReplyLeft(packet.session_id, packet.path, packet.sequence, ToStamp(sent));
}

void Responder::Tick(MonotonicTime now) {
  for (const std::uint64_t session : reflector_.Expire(now)) sessions_.erase(session);
}

void Responder::Describe(EngineSnapshot& snapshot) const {
  for (const auto& [id, session] : sessions_) {
    snapshot.answered.push_back({.peer_node = session.prober, .last_probe = session.last_probe});
  }
  snapshot.counters.refused = reflector_.drops();
  snapshot.counters.replies_sent = reflector_.replies();
  snapshot.counters.send_failures += send_failures_;
}

}  // namespace fairlead::linkprobe
