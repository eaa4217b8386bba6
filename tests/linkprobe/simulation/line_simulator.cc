#include "tests/linkprobe/simulation/line_simulator.h"

#include <algorithm>
#include <cmath>

namespace fairlead::linkprobe::testing {
namespace {

constexpr std::uint64_t kStream = 1;
constexpr Nanoseconds kTick = Milliseconds(50);

Nanoseconds Scaled(Nanoseconds value, double factor) {
  return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(value.count()) * factor));
}

}  // namespace

LineSimulator::LineSimulator(const Settings& settings)
    : settings_(settings),
      random_(settings.seed),
      monitor_(settings.monitor),
      schedule_(settings.seed + 1) {
  forward.delay = settings.one_way;
  reverse.delay = settings.one_way;
  OpenSession();
  schedule_.Set(kStream, Scaled(Seconds(1), 1 / settings.probes_per_second), now_);
}

void LineSimulator::OpenSession() {
  reflector_ = Reflector();
  ++session_;
  const bool opened =
      reflector_
          .Open({.session_id = session_, .prober = "a", .prober_epoch = 9, .key_id = 1, .paths = 1},
                now_)
          .has_value();
  if (opened) monitor_.OnSession(session_, peer_epoch_, now_);
}

void LineSimulator::RestartPeer(Nanoseconds gap) {
  ++peer_epoch_;
  responder_host.up = false;
  reopen_ = now_ + gap;
}

std::int64_t LineSimulator::PeerClock(MonotonicTime at) const {
  const auto ours = static_cast<double>(at.time_since_epoch().count());
  return at.time_since_epoch().count() + static_cast<std::int64_t>(ours * settings_.clock_drift) +
         peer_clock_offset_;
}

void LineSimulator::Stall(HostModel& host) {
  const double chance = host.stalls_per_hour / 3600 / settings_.probes_per_second;
  if (Uniform() < chance) {
    host.stalled_until = now_ + Milliseconds(20) + Scaled(Milliseconds(280), Uniform());
  }
}

MonotonicTime LineSimulator::HandledAt(HostModel& host, MonotonicTime arrived) {
  return std::max(arrived, host.stalled_until) +
         (host.busy > Nanoseconds(0) ? Scaled(host.busy, Uniform()) : Nanoseconds(0));
}

void LineSimulator::Launch(DirectionModel& line, const Packet& packet, bool to_peer) {
  line.in_burst = line.in_burst ? Uniform() >= line.burst_end : Uniform() < line.burst_begin;
  if (line.in_burst || (line.loss > 0 && Uniform() < line.loss)) {
    ++(to_peer ? truth_.lost_forward : truth_.lost_reverse);
    return;
  }
  const auto sigma = static_cast<double>(line.noise.count());
  Nanoseconds delay =
      line.delay + Nanoseconds(static_cast<std::int64_t>(
                       std::abs(std::normal_distribution<double>(0, 1)(random_)) * sigma));
  if (Uniform() < line.tail_share) delay += Scaled(line.tail_mean, -std::log(1 - Uniform()));
  if (line.jitter > Nanoseconds(0)) delay += Scaled(line.jitter, 2 * Uniform() - 1);
  if (line.reorder > 0 && Uniform() < line.reorder) delay += Milliseconds(250);
  InFlight flight{to_peer, packet, 0};
  if (line.congestion > 0 && Uniform() < line.congestion) {
    flight.tos = 3;
    ++(to_peer ? truth_.marked_forward : truth_.marked_reverse);
  }
  HostModel& host = to_peer ? responder_host : prober_host;
  const MonotonicTime at =
      HandledAt(host, now_ + std::max(delay, Milliseconds(1) + Nanoseconds(0)));
  flight_.emplace(at, flight);
  if (line.duplicate > 0 && Uniform() < line.duplicate) {
    ++(to_peer ? truth_.duplicated_forward : truth_.duplicated_reverse);
    flight_.emplace(at + Milliseconds(2), flight);
  }
}

void LineSimulator::Send() {
  Stall(prober_host);
  Stall(responder_host);
  ++truth_.sent;
  Packet probe;
  probe.session_id = session_;
  probe.t1 = now_.time_since_epoch().count();
  probe.key_id = 1;
  probe.prober_epoch = 9;
  probe.sequence = monitor_.OnSend(probe.t1, now_);
  Launch(forward, probe, true);
}

void LineSimulator::AtPeer(const InFlight& arrival) {
  if (!responder_host.up) return;
  ProbeArrival seen{.t3 = PeerClock(now_),
                    .hop_limit = static_cast<std::uint8_t>(64 - forward.hops),
                    .tos = arrival.tos};
  auto reply = reflector_.OnProbe(arrival.packet, seen, now_);
  if (!reply) return;
  reply->t4 = reply->t3 + 20'000;
  if (settings_.exact_t4) reflector_.OnReplyLeft(session_, 0, reply->sequence, reply->t4 + 5'000);
  Launch(reverse, *reply, false);
}

void LineSimulator::AtProber(const InFlight& arrival) {
  const std::int64_t t5 = now_.time_since_epoch().count();
  last_reply_ = arrival.packet;
  monitor_.OnReply(arrival.packet,
                   {.t5 = t5,
                    .t6 = t5 + 30'000,
                    .hop_limit = static_cast<std::uint8_t>(64 - reverse.hops),
                    .tos = arrival.tos},
                   now_);
}

void LineSimulator::Step(MonotonicTime until) {
  MonotonicTime next = std::min(until, now_ + kTick);
  if (!flight_.empty()) next = std::min(next, flight_.begin()->first);
  if (sending_) next = std::min(next, std::max(now_, schedule_.NextDue().value_or(next)));
  now_ = std::max(now_, next);
  while (!flight_.empty() && flight_.begin()->first <= now_) {
    const InFlight arrival = flight_.begin()->second;
    flight_.erase(flight_.begin());
    arrival.to_peer ? AtPeer(arrival) : AtProber(arrival);
  }
  if (reopen_ && now_ >= *reopen_) {
    reopen_.reset();
    responder_host.up = true;
    OpenSession();
  }
  while (sending_ && schedule_.PopDue(now_)) Send();
  if (monitor_.Tick(now_)) {
    const PathVerdict& v = verdict();
    transitions_.push_back({now_, v.verdict.state, v.verdict.reason, v.evidence});
  }
}

void LineSimulator::Run(Nanoseconds duration) {
  const MonotonicTime end = now_ + duration;
  while (now_ < end) Step(end);
}

std::optional<Nanoseconds> LineSimulator::RunUntil(const std::function<bool()>& condition,
                                                   Nanoseconds limit) {
  const MonotonicTime start = now_;
  while (now_ - start < limit) {
    if (condition()) return now_ - start;
    Step(start + limit);
  }
  return condition() ? std::optional(now_ - start) : std::nullopt;
}

std::optional<Nanoseconds> LineSimulator::RunUntil(LinkState state, Nanoseconds limit) {
  return RunUntil([&] { return verdict().verdict.state == state; }, limit);
}

void LineSimulator::Drain() {
  sending_ = false;
  Run(Seconds(3));
  sending_ = true;
}

std::size_t LineSimulator::Entered(LinkState state, MonotonicTime from) const {
  std::size_t entered = 0;
  LinkState before = LinkState::kUnknown;
  for (const Transition& t : transitions_) {
    if (t.at >= from && t.state == state && before != state) ++entered;
    before = t.state;
  }
  return entered;
}

}  // namespace fairlead::linkprobe::testing
