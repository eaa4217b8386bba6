#include "linkprobe/cli/ping.h"

#include <cstdio>
#include <utility>

#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/ping_report.h"
#include "linkprobe/cli/signal_wait.h"

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

bool Settled(const EngineSnapshot& state, std::uint64_t count) {
  for (const PathStatus& path : state.paths) {
    const PathTotals& totals = path.totals;
    const std::uint64_t lost = totals.lost_forward + totals.lost_reverse + totals.lost_unknown;
    if (totals.sent < count || totals.answered + lost < totals.sent) return false;
  }
  return true;
}

}  // namespace

Result<bool> RunPing(const PingCommand& command, const sigset_t& signals) {
  EngineSettings settings;
  settings.probes_per_second = 1e9 / static_cast<double>(command.interval.count());
  settings.probes_per_session = command.count;
  settings.report_window = Seconds(3600);
  settings.detector.window = Milliseconds(250);
  const std::string shown = command.peer.substr(0, command.peer.rfind(':'));
  settings.on_reply = [&](const SeenReply& seen) {
    std::puts(PingReplyLine(ToPingReply(seen), shown, command.json).c_str());
    std::fflush(stdout);
  };
  const auto probe = PeerProbe::Start(command.options, settings, command.peer);
  if (!probe) return Fail(probe.error());

  const MonotonicTime begin = (*probe)->clock().Now();
  std::string last_error;
  std::shared_ptr<const EngineSnapshot> state;
  while (true) {
    const bool interrupted = SignalWithin(signals, kLookEvery);
    state = (*probe)->Latest();
    if (interrupted || (state != nullptr && command.count > 0 && Settled(*state, command.count))) {
      break;
    }
    if (state != nullptr) continue;
    if (std::string error = (*probe)->LastError(); !error.empty() && error != last_error) {
      last_error = std::move(error);
      std::fprintf(stderr, "waiting for %s: %s\n", command.peer.c_str(), last_error.c_str());
    }
    if (command.count > 0 && (*probe)->clock().Now() - begin > kGiveUpAfter) {
      return Fail(ErrorCode::kUnavailable, command.peer + " does not answer: " + last_error);
    }
  }
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
