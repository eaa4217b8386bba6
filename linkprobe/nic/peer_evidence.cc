#include "linkprobe/nic/peer_evidence.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fairlead::linkprobe {
namespace {

bool IsLoss(LinkReason reason) {
  return reason == LinkReason::kLossForward || reason == LinkReason::kLossReverse ||
         reason == LinkReason::kLossBoth;
}

bool IsThere(std::optional<MonotonicTime> sign_of_life, MonotonicTime now) {
  return sign_of_life && now - *sign_of_life <= kPeerIsThere;
}

bool Congested(const DirectionMeasurement& direction) {
  const std::uint64_t arrived =
      direction.loss.sent - std::min(direction.loss.lost, direction.loss.sent);
  return static_cast<double>(direction.ecn_marked) > kCongested * static_cast<double>(arrived);
}

PeerSign SignOf(const PathStatus& path, std::optional<MonotonicTime> session, MonotonicTime now) {
  const LinkVerdict& verdict = path.verdict.verdict;
  switch (verdict.state) {
    case LinkState::kHealthy:
      return PeerSign::kWell;
    case LinkState::kUnknown:
    case LinkState::kSuspect:
      return PeerSign::kUnclear;
    case LinkState::kDegraded:
    case LinkState::kDown:
      break;
  }
  if (verdict.reason == LinkReason::kHoldDown) return PeerSign::kHeld;
  if (verdict.reason == LinkReason::kNoReply) {
    return verdict.state == LinkState::kDown && IsThere(session, now) ? PeerSign::kSilent
                                                                      : PeerSign::kUnclear;
  }
  if (!IsLoss(verdict.reason) || !IsThere(path.last_reply, now)) return PeerSign::kUnclear;
  const LinkMeasurement& measured = path.measurement;
  if (Congested(measured.forward) || Congested(measured.reverse)) return PeerSign::kUnclear;
  const double lower = std::max(measured.forward.loss.lower, measured.reverse.loss.lower);
  return lower >= kLossOfNic ? PeerSign::kLossy : PeerSign::kHeld;
}

// Of two paths to one peer. Where one of them is well the NIC works; where they differ otherwise
// the weaker sign is all that both bear out.
PeerSign Both(PeerSign a, PeerSign b) {
  if (a == b) return a;
  if (a == PeerSign::kWell || b == PeerSign::kWell) return PeerSign::kWell;
  if (a == PeerSign::kUnclear || b == PeerSign::kUnclear) return PeerSign::kUnclear;
  return PeerSign::kHeld;
}

void Add(const PathStatus& path, PeerSign sign, MonotonicTime now, bool first,
         PeerEvidence& evidence) {
  const Nanoseconds standing = now - path.verdict.verdict.since;
  const LossInterval& forward = path.measurement.forward.loss;
  const LossInterval& reverse = path.measurement.reverse.loss;
  const bool forward_is_worse = forward.lower >= reverse.lower;
  const LossInterval& worse = forward_is_worse ? forward : reverse;
  evidence.sign = first ? sign : Both(evidence.sign, sign);
  evidence.standing = first ? standing : std::min(evidence.standing, standing);
  if (!first && worse.lower >= evidence.loss.lower) return;
  evidence.loss = worse;
  evidence.direction = forward_is_worse ? "forward" : "reverse";
}

}  // namespace

std::vector<PeerEvidence> GatherEvidence(const EngineSnapshot& engine, std::string_view site,
                                         MonotonicTime now) {
  std::map<std::string_view, MonotonicTime> sessions;
  for (const ProberSessionStatus& session : engine.sessions) {
    sessions[session.peer_node] = session.opened;
  }
  std::map<std::string_view, PeerEvidence> peers;
  for (const PathStatus& path : engine.paths) {
    const auto session = sessions.find(path.peer_node);
    const PeerSign sign = SignOf(
        path, session == sessions.end() ? std::nullopt : std::optional(session->second), now);
    const auto [at, first] = peers.try_emplace(path.peer_node);
    at->second.node = path.peer_node;
    at->second.site = path.peer_site;
    at->second.in_site = !site.empty() && path.peer_site == site;
    Add(path, sign, now, first, at->second);
  }
  std::vector<PeerEvidence> all;
  for (auto& [node, evidence] : peers) all.push_back(std::move(evidence));
  return all;
}

}  // namespace fairlead::linkprobe
