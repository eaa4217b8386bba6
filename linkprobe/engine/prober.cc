#include "linkprobe/engine/prober.h"

#include <algorithm>
#include <utility>

#include "common/base/log.h"
#include "linkprobe/engine/stamp.h"

namespace fairlead::linkprobe {
namespace {

// Streams of one peer lie side by side, so the peer of a stream is found by rounding down.
constexpr std::uint64_t kStreamsPerPeer = 16;
constexpr std::size_t kSendStampsKept = 256;

Nanoseconds Interval(double probes_per_second) {
  return Nanoseconds(static_cast<std::int64_t>(1e9 / std::max(probes_per_second, 0.01)));
}

}  // namespace

Prober::Prober(const EngineSettings& settings, const Clock& clock, SentTokens& tokens)
    : settings_(settings),
      detector_(settings.detector),
      clock_(clock),
      tokens_(tokens),
      schedule_(settings.seed) {}

void Prober::SetTransport(Transport* transport) {
  for (auto& [node, peer] : peers_) EndSession(peer);
  transport_ = transport;
}

Status Prober::Open(const OpenProberSession& session, MonotonicTime now) {
  if (transport_ == nullptr) return Fail(ErrorCode::kUnavailable, "the transport is down");
  auto key = PacketKey::Create(session.key_id, session.key);
  if (!key) return Fail(key.error());
  const std::vector<Endpoint> local = transport_->LocalEndpoints();
  const std::size_t count =
      std::min({session.endpoints.size(), local.size(), static_cast<std::size_t>(kStreamsPerPeer)});
  if (count == 0) return Fail(ErrorCode::kInvalidArgument, "the peer offered no path");
  std::vector<std::shared_ptr<const Destination>> destinations;
  for (std::uint32_t path = 0; path < count; ++path) {
    auto resolved = transport_->Resolve(path, session.endpoints[path]);
    if (!resolved) return Fail(resolved.error().Within("path " + std::to_string(path)));
    destinations.push_back(std::move(*resolved));
  }
  const auto [at, is_new] = peers_.try_emplace(session.peer_node);
  Peer& peer = at->second;
  if (is_new) {
    peer.first_stream = next_stream_;
    next_stream_ += kStreamsPerPeer;
    streams_[peer.first_stream] = at;
  }
  EndSession(peer);
  peer.site = session.peer_site;
  peer.floor_rtt = session.floor_rtt;
  peer.session_id = session.session_id;
  peer.opened = now;
  peer.key = std::move(*key);
  AddPaths(session.peer_node, peer, count, now);
  sessions_[peer.session_id] = at;
  for (std::size_t i = 0; i < count; ++i) {
    Path& path = peer.paths[i];
    path.destination = std::move(destinations[i]);
    path.ends = {.here = local[i], .there = session.endpoints[i]};
    path.monitor.SetFloor(session.floor_rtt);
    path.monitor.SetRung(transport_->rung());
    path.monitor.OnSession(session.session_id, session.peer_epoch, now);
    schedule_.Set(peer.first_stream + i, Interval(settings_.probes_per_second), now);
  }
  return {};
}

void Prober::AddPaths(const std::string& node, Peer& peer, std::size_t count, MonotonicTime now) {
  // A peer that came back with fewer paths leaves no series of the others behind.
  while (peer.paths.size() > count) peer.paths.pop_back();
  while (peer.paths.size() < count) {
    PathMonitorSettings monitor;
    monitor.estimator.path = static_cast<std::uint8_t>(peer.paths.size());
    monitor.estimator.rung = transport_->rung();
    monitor.estimator.probes_per_second = settings_.probes_per_second;
    monitor.estimator.report_window = settings_.report_window;
    monitor.estimator.floor_rtt = peer.floor_rtt;
    monitor.detector = detector_;
    peer.paths.push_back(Path{.monitor = PathMonitor(monitor)});
    peer.paths.back().monitor.SetLineTested(tested_.contains(node), now);
  }
}

void Prober::EndSession(Peer& peer) {
  for (std::uint64_t i = 0; i < peer.paths.size(); ++i) schedule_.Remove(peer.first_stream + i);
  for (Path& path : peer.paths) {
    path.destination.reset();
    path.sent.clear();
  }
  sessions_.erase(peer.session_id);
  peer.session_id = 0;
  peer.last_reply.reset();
  peer.key.reset();
}

void Prober::Erase(Peers::iterator peer) {
  EndSession(peer->second);
  streams_.erase(peer->second.first_stream);
  peers_.erase(peer);
}

void Prober::Forget(const std::string& node) {
  const auto peer = peers_.find(node);
  if (peer != peers_.end()) Erase(peer);
}

void Prober::Retain(const std::map<std::string, ProbedPeer>& peers, MonotonicTime now) {
  tested_.clear();
  for (const auto& [node, planned] : peers) {
    if (planned.line_tested) tested_.insert(node);
  }
  for (auto peer = peers_.begin(); peer != peers_.end();) {
    const auto next = std::next(peer);
    const auto planned = peers.find(peer->first);
    if (planned == peers.end()) {
      Erase(peer);
    } else {
      peer->second.site = planned->second.site;
      peer->second.floor_rtt = planned->second.floor_rtt;
      for (Path& path : peer->second.paths) {
        path.monitor.SetFloor(planned->second.floor_rtt);
        path.monitor.SetLineTested(planned->second.line_tested, now);
      }
    }
    peer = next;
  }
}

void Prober::SetDetectorSettings(const DetectorSettings& settings) {
  detector_ = settings;
  for (auto& [node, peer] : peers_) {
    for (Path& path : peer.paths) path.monitor.SetDetectorSettings(settings);
  }
}

void Prober::SendDue(MonotonicTime now) {
  while (const auto stream = schedule_.PopDue(now)) {
    const std::uint64_t path = *stream % kStreamsPerPeer;
    const auto peer = streams_.find(*stream - path);
    if (peer != streams_.end()) SendProbe(peer->second->second, static_cast<std::uint8_t>(path));
  }
}

void Prober::SendProbe(Peer& peer, std::uint8_t path_index) {
  Path& path = peer.paths.at(path_index);
  if (transport_ == nullptr || path.destination == nullptr || !peer.key) return;
  const MonotonicTime now = clock_.Now();
  Packet probe;
  probe.kind = PacketKind::kProbe;
  probe.path = path_index;
  probe.session_id = peer.session_id;
  probe.t1 = ToStamp(now);
  probe.sequence = path.monitor.OnSend(probe.t1, now);
  if (probe.sequence == settings_.probes_per_session) {
    schedule_.Remove(peer.first_stream + path_index);
  }
  probe.key_id = peer.key->id();
  probe.prober_epoch = settings_.epoch;
  PacketBytes bytes = Encode(probe);
  const std::uint64_t token = tokens_.Remember({.reply = false,
                                                .session_id = peer.session_id,
                                                .path = path_index,
                                                .sequence = probe.sequence});
  if (peer.key->Seal(bytes) &&
      transport_->Send(path_index, *path.destination, bytes, token).has_value()) {
    return;
  }
  path.monitor.OnSendFailed(probe.sequence);
  ++send_failures_;
}

std::optional<DropReason> Prober::OnReply(const Packet& reply, const ReceivedPacket& raw) {
  const auto session = sessions_.find(reply.session_id);
  if (session == sessions_.end()) return DropReason::kUnknownSession;
  Peer& peer = session->second->second;
  if (reply.key_id != peer.key->id()) return DropReason::kWrongKey;
  if (!peer.key->Verify(raw.bytes)) return DropReason::kBadMac;
  if (reply.prober_epoch != settings_.epoch) return DropReason::kWrongEpoch;
  if (reply.path >= peer.paths.size()) return DropReason::kUnknownPath;
  Path& path = peer.paths[reply.path];
  if (reply.hop_limit_known) path.ends.forward_arrived = reply.rx_tos;
  if (raw.traffic_class) path.ends.reverse_arrived = raw.traffic_class;
  const MonotonicTime now = clock_.Now();
  ReplyArrival arrival;
  arrival.t5 = ToStamp(raw.received);
  arrival.t6 = ToStamp(now);
  const TransportRung rung = transport_->rung();
  arrival.hardware_stamps = rung == TransportRung::kRdmaUdHw || rung == TransportRung::kUdpHw;
  arrival.hop_limit = raw.hop_limit;
  arrival.tos = raw.traffic_class;
  const ReplyOutcome outcome = path.monitor.OnReply(reply, arrival, now);
  if (settings_.on_reply) {
    const auto sent = path.sent.find(reply.sequence);
    settings_.on_reply(
        {.peer_node = session->second->first,
         .packet = reply,
         .raw = raw,
         .sent = sent == path.sent.end() ? MonotonicTime(Nanoseconds(reply.t1)) : sent->second,
         .outcome = outcome});
  }
  switch (outcome) {
    case ReplyOutcome::kDuplicate:
      return DropReason::kDuplicate;
    case ReplyOutcome::kRefused:
      return DropReason::kSequenceJump;
    case ReplyOutcome::kAnswered:
    case ReplyOutcome::kLate:
    case ReplyOutcome::kBelowFloor:
    case ReplyOutcome::kImpossible:
      break;
  }
  path.last_reply = now;
  peer.last_reply = now;
  return std::nullopt;
}

void Prober::OnSent(const SentPacket& packet, MonotonicTime sent) {
  const auto session = sessions_.find(packet.session_id);
  if (session == sessions_.end()) return;
  Peer& peer = session->second->second;
  if (packet.path >= peer.paths.size()) return;
  Path& path = peer.paths[packet.path];
  path.monitor.OnSendStamp(packet.sequence, ToStamp(sent));
  if (!settings_.on_reply) return;
  path.sent[packet.sequence] = sent;
  if (path.sent.size() > kSendStampsKept) path.sent.erase(path.sent.begin());
}

void Prober::OnHostLateness(Nanoseconds lateness, MonotonicTime now) {
  for (auto& [node, peer] : peers_) {
    for (Path& path : peer.paths) path.monitor.OnHostLateness(lateness, now);
  }
}

void Prober::LogVerdict(const std::string& node, const Peer& peer, std::size_t index, Path& path) {
  const PathVerdict& verdict = path.monitor.verdict();
  const LinkState state = verdict.verdict.state;
  // A suspicion comes and goes by the second and would drown what was judged.
  const bool judged = state != LinkState::kSuspect && state != path.logged;
  if (judged) path.logged = state;
  Log(judged ? LogLevel::kInfo : LogLevel::kDebug, "link state changed",
      {{"peer", node},
       {"site", peer.site},
       {"path", index},
       {"state", LinkStateName(state)},
       {"reason", LinkReasonName(verdict.verdict.reason)},
       {"evidence", verdict.evidence}});
}

void Prober::Tick(MonotonicTime now) {
  for (auto& [node, peer] : peers_) {
    for (std::size_t i = 0; i < peer.paths.size(); ++i) {
      if (peer.paths[i].monitor.Tick(now)) LogVerdict(node, peer, i, peer.paths[i]);
    }
  }
}

void Prober::Describe(MonotonicTime now, EngineSnapshot& snapshot) const {
  for (const auto& [node, peer] : peers_) {
    if (peer.session_id != 0) {
      snapshot.sessions.push_back({.peer_node = node,
                                   .session_id = peer.session_id,
                                   .opened = peer.opened,
                                   .last_reply = peer.last_reply});
    }
    for (std::size_t i = 0; i < peer.paths.size(); ++i) {
      const Path& path = peer.paths[i];
      std::vector<EndDifference> differences;
      if (path.destination) differences = CompareEnds(path.ends);
      snapshot.paths.push_back({.peer_node = node,
                                .peer_site = peer.site,
                                .path = static_cast<std::uint32_t>(i),
                                .floor_rtt = peer.floor_rtt,
                                .measurement = path.monitor.Measure(now),
                                .verdict = path.monitor.verdict(),
                                .totals = path.monitor.totals(),
                                .excess = path.monitor.excess(),
                                .last_reply = path.last_reply,
                                .differences = std::move(differences)});
    }
  }
}

}  // namespace fairlead::linkprobe
