#include "linkprobe/reflect/reflector.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fairlead::linkprobe {

Status Reflector::Open(const SessionGrant& grant, MonotonicTime now) {
  if (grant.paths == 0) {
    return Fail(ErrorCode::kInvalidArgument, "session of " + grant.prober + " has no path");
  }
  const auto taken = sessions_.find(grant.session_id);
  if (taken != sessions_.end() && taken->second.grant.prober != grant.prober) {
    return Fail(ErrorCode::kInvalidArgument, "session id " + std::to_string(grant.session_id) +
                                                 " belongs to " + taken->second.grant.prober);
  }
  std::erase_if(sessions_,
                [&](const auto& entry) { return entry.second.grant.prober == grant.prober; });
  if (sessions_.size() >= settings_.max_sessions) {
    return Fail(ErrorCode::kResourceExhausted, "no room for a session of " + grant.prober + ": " +
                                                   std::to_string(sessions_.size()) +
                                                   " are open, which is the limit");
  }
  sessions_.emplace(grant.session_id,
                    Session{grant, TokenBucket(settings_.probes_per_second, settings_.burst), now,
                            std::vector<Path>(grant.paths)});
  return {};
}

void Reflector::Close(std::uint64_t session_id) { sessions_.erase(session_id); }

const SessionGrant* Reflector::Find(std::uint64_t session_id) const {
  const auto found = sessions_.find(session_id);
  return found == sessions_.end() ? nullptr : &found->second.grant;
}

tl::unexpected<DropReason> Reflector::Drop(DropReason reason) {
  CountDrop(reason);
  return tl::unexpected<DropReason>(reason);
}

tl::expected<Packet, DropReason> Reflector::OnProbe(const Packet& probe,
                                                    const ProbeArrival& arrival,
                                                    MonotonicTime now) {
  if (probe.kind != PacketKind::kProbe) return Drop(DropReason::kNotAProbe);
  const auto found = sessions_.find(probe.session_id);
  if (found == sessions_.end()) return Drop(DropReason::kUnknownSession);
  Session& session = found->second;
  if (probe.path >= session.paths.size()) return Drop(DropReason::kUnknownPath);
  if (probe.prober_epoch != session.grant.prober_epoch) return Drop(DropReason::kWrongEpoch);
  if (probe.key_id != session.grant.key_id) return Drop(DropReason::kWrongKey);

  Path& path = session.paths[probe.path];
  switch (path.seen.Check(probe.sequence)) {
    case ReplayWindow::Seen::kNew:
      break;
    case ReplayWindow::Seen::kNewButBehind:
      ++path.reordered;
      break;
    case ReplayWindow::Seen::kDuplicate:
      ++path.duplicates;
      return Drop(DropReason::kDuplicate);
    case ReplayWindow::Seen::kTooOld:
      return Drop(DropReason::kTooOld);
    case ReplayWindow::Seen::kTooFarAhead:
      return Drop(DropReason::kSequenceJump);
  }
  ++path.received;
  session.last_probe = std::max(session.last_probe, now);
  // After the bookkeeping: the prober then sees "received but not answered", not a loss.
  if (!session.limit.Take(now)) return Drop(DropReason::kRateLimited);

  Packet reply;
  reply.kind = PacketKind::kReply;
  reply.path = probe.path;
  reply.hardware_stamps = arrival.hardware_stamps;
  reply.session_id = probe.session_id;
  reply.sequence = probe.sequence;
  reply.t1 = probe.t1;
  reply.t3 = arrival.t3;
  reply.t4 = arrival.t3;
  reply.previous_t4 = path.previous_t4;
  reply.previous_t4_sequence = path.previous_t4_sequence;
  reply.responder_rx = path.received;
  reply.responder_tx = ++path.replied;
  reply.rx_ahead = static_cast<std::uint16_t>(path.seen.highest() - probe.sequence);
  reply.rx_bitmap = path.seen.NewestBits();
  reply.hop_limit_known = arrival.hop_limit.has_value();
  reply.rx_hop_limit = arrival.hop_limit.value_or(0);
  reply.rx_tos = arrival.hop_limit ? arrival.tos.value_or(0) : 0;
  reply.forward_duplicates = path.duplicates;
  reply.forward_reordered = path.reordered;
  reply.key_id = probe.key_id;
  reply.prober_epoch = probe.prober_epoch;
  ++replies_;
  return reply;
}

void Reflector::OnReplyLeft(std::uint64_t session_id, std::uint8_t path, std::uint64_t sequence,
                            std::int64_t t4) {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end() || path >= found->second.paths.size()) return;
  found->second.paths[path].previous_t4 = t4;
  found->second.paths[path].previous_t4_sequence = sequence;
}

std::vector<std::uint64_t> Reflector::Expire(MonotonicTime now) {
  std::vector<std::uint64_t> expired;
  std::erase_if(sessions_, [&](const auto& entry) {
    const bool idle = now - entry.second.last_probe > settings_.expire_after;
    if (idle) expired.push_back(entry.first);
    return idle;
  });
  return expired;
}

}  // namespace fairlead::linkprobe
