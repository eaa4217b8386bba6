// What an engine knows of a few peers, in short.
#pragma once

#include <string>

#include "common/link/loss_interval.h"
#include "linkprobe/nic/nic_judge.h"

namespace fairlead::linkprobe {

inline constexpr MonotonicTime kNow{Seconds(10'000)};

enum class Seems { kWell, kSilent, kLossy, kSlow, kHeld, kUnknown, kNoisy, kFaintlyLossy };

// A peer on path `path` that has seemed so for `since`; it agreed to a session ten seconds ago.
inline void AddPeer(EngineSnapshot& engine, const std::string& node, const std::string& site,
                    Seems seems, Nanoseconds since = Seconds(60), std::uint32_t path = 0) {
  PathStatus status;
  status.peer_node = node;
  status.peer_site = site;
  status.path = path;
  status.last_reply = kNow - Milliseconds(100);
  LinkVerdict& verdict = status.verdict.verdict;
  verdict.since = kNow - since;
  const auto set = [&](LinkState state, LinkReason reason) {
    verdict.state = state;
    verdict.reason = reason;
  };
  status.measurement.forward.loss = MakeLossInterval(0, 600);
  status.measurement.reverse.loss = MakeLossInterval(0, 600);
  switch (seems) {
    case Seems::kWell:
      set(LinkState::kHealthy, LinkReason::kNone);
      break;
    case Seems::kSilent:
      set(LinkState::kDown, LinkReason::kNoReply);
      status.last_reply = kNow - since - Seconds(10);
      break;
    case Seems::kLossy:
      set(LinkState::kDegraded, LinkReason::kLossForward);
      status.measurement.forward.loss = MakeLossInterval(30, 600);
      break;
    case Seems::kFaintlyLossy:
      set(LinkState::kDegraded, LinkReason::kLossForward);
      status.measurement.forward.loss = MakeLossInterval(4, 600);
      break;
    case Seems::kSlow:
      set(LinkState::kDegraded, LinkReason::kRttStep);
      break;
    case Seems::kHeld:
      set(LinkState::kDegraded, LinkReason::kHoldDown);
      break;
    case Seems::kUnknown:
      set(LinkState::kUnknown, LinkReason::kNoData);
      break;
    case Seems::kNoisy:
      set(LinkState::kSuspect, LinkReason::kHostNoise);
      break;
  }
  engine.paths.push_back(status);
  engine.sessions.push_back(
      {.peer_node = node, .session_id = 1, .opened = kNow - Seconds(10), .last_reply = {}});
}

inline EngineSnapshot VerbsEngine() {
  EngineSnapshot engine;
  engine.at = kNow;
  engine.kind = TransportKind::kRdmaUd;
  engine.transport_up = true;
  engine.nic = NicPort{.device = "mlx5_0", .port = 1};
  return engine;
}

inline NicOpinion Judge(const EngineSnapshot& engine, const NicOpinion* before = nullptr) {
  return JudgeNic({.engine = engine, .site = "hk"}, before, kNow).value();
}

}  // namespace fairlead::linkprobe
