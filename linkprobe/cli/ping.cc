#include "linkprobe/cli/ping.h"

#include <grpcpp/security/credentials.h>

#include <cstdio>
#include <ctime>

#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/cli/ping_report.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLookEvery = Milliseconds(100);
// With a count, a peer that cannot be reached for this long ends the ping.
constexpr Nanoseconds kGiveUpAfter = Seconds(15);

std::optional<std::uint8_t> Hops(bool known, std::uint8_t hop_limit) {
  if (!known || hop_limit > kInitialHopLimit) return std::nullopt;
  return static_cast<std::uint8_t>(kInitialHopLimit - hop_limit);
}

PingReply ToPingReply(const SeenReply& seen) {
  const Packet& packet = seen.packet;
  PingReply reply;
  reply.path = packet.path;
  reply.sequence = packet.sequence;
  reply.remote = Nanoseconds(packet.t4 - packet.t3);
  reply.rtt = seen.raw.received - seen.sent - reply.remote;
  reply.forward_hops = Hops(packet.hop_limit_known, packet.rx_hop_limit);
  reply.reverse_hops = Hops(seen.raw.hop_limit.has_value(), seen.raw.hop_limit.value_or(0));
  reply.duplicate = seen.outcome == ReplyOutcome::kDuplicate;
  reply.late = seen.outcome == ReplyOutcome::kLate;
  return reply;
}

const EngineSnapshot* Probing(const std::vector<std::shared_ptr<const EngineSnapshot>>& states) {
  for (const auto& state : states) {
    if (!state->paths.empty()) return state.get();
  }
  return nullptr;
}

bool Settled(const EngineSnapshot& state, std::uint64_t count) {
  for (const PathStatus& path : state.paths) {
    const PathTotals& totals = path.totals;
    const std::uint64_t lost = totals.lost_forward + totals.lost_reverse + totals.lost_unknown;
    if (totals.sent < count || totals.answered + lost < totals.sent) return false;
  }
  return true;
}

// Waits for a signal; true when one came.
bool SignalWithin(const sigset_t& signals, Nanoseconds wait) {
  const timespec limit{.tv_sec = 0, .tv_nsec = wait.count()};
  return sigtimedwait(&signals, nullptr, &limit) > 0;
}

}  // namespace

Result<bool> RunPing(const PingCommand& command, const sigset_t& signals) {
  EngineSettings settings;
  settings.epoch = RandomId();
  settings.seed = RandomId();
  settings.probes_per_second = 1e9 / static_cast<double>(command.interval.count());
  settings.probes_per_session = command.count;
  settings.report_window = Seconds(3600);
  settings.detector.window = Milliseconds(250);
  const std::string shown = command.peer.substr(0, command.peer.rfind(':'));
  settings.on_reply = [&](const SeenReply& seen) {
    std::puts(PingReplyLine(ToPingReply(seen), shown, command.json).c_str());
    std::fflush(stdout);
  };
  PlannedPeer peer;
  peer.node = kAdHocResponder;
  peer.session_address = command.peer;
  peer.probe = true;
  auto node = MakeAdHocNode(command.options, settings, kAdHocProber, peer);
  if (!node) return Fail(node.error());
  const SessionDialer dialer(
      {.node = kAdHocProber, .epoch = settings.epoch}, (*node)->plan, (*node)->EnginePointers(),
      settings.probes_per_second, *(*node)->desk,
      [](const std::string& address) {
        return MakeChannel(address, grpc::InsecureChannelCredentials());
      },
      (*node)->clock);

  const MonotonicTime begin = (*node)->clock.Now();
  std::string last_error;
  std::vector<std::shared_ptr<const EngineSnapshot>> states;
  while (true) {
    const bool interrupted = SignalWithin(signals, kLookEvery);
    states.clear();
    for (const auto& engine : (*node)->engines) states.push_back(engine->Latest());
    const EngineSnapshot* state = Probing(states);
    if (interrupted || (state != nullptr && command.count > 0 && Settled(*state, command.count))) {
      break;
    }
    if (state != nullptr) continue;
    const auto dials = dialer.Latest();  // kept: the dialer publishes a new map meanwhile
    for (const auto& [name, dial] : *dials) {
      if (dial.last_error.empty() || dial.last_error == last_error) continue;
      last_error = dial.last_error;
      std::fprintf(stderr, "waiting for %s: %s\n", command.peer.c_str(), last_error.c_str());
    }
    if (command.count > 0 && (*node)->clock.Now() - begin > kGiveUpAfter) {
      return Fail(ErrorCode::kUnavailable, command.peer + " does not answer: " + last_error);
    }
  }
  const EngineSnapshot* state = Probing(states);
  bool answered = false;
  if (state != nullptr) {
    for (const PathStatus& path : state->paths) {
      std::fputs(PingSummary(path, shown, command.json).c_str(), stdout);
      answered = answered || path.totals.answered > 0;
    }
  }
  return answered;
}

}  // namespace fairlead::linkprobe
