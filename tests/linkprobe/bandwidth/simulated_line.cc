#include "tests/linkprobe/bandwidth/simulated_line.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kTurnEvery = Milliseconds(2);
constexpr Nanoseconds kProbeEvery = Milliseconds(10);
constexpr double kLeastMessage = 4096;

}  // namespace

Nanoseconds SimulatedLine::Run(SaturationRamp& ramp, Nanoseconds limit) {
  const Nanoseconds tick =
      std::clamp(settings_.rtt / 200, Nanoseconds(20'000), Nanoseconds(500'000));
  const double tick_seconds = static_cast<double>(tick.count()) * 1e-9;
  Nanoseconds next_turn{};
  Nanoseconds next_probe{};
  for (Nanoseconds now{}; now < limit; now += tick) {
    TakeReturns(ramp, now);
    if (now >= next_turn) {
      ramp.Turn(At(now));
      next_turn = now + kTurnEvery;
    }
    if (ramp.finished()) return now;
    if (now >= next_probe) {
      Enter(Owner::kProbe, 0, now);
      next_probe = now + kProbeEvery;
    }
    Post(ramp, now, settings_.sender_bytes_per_second * tick_seconds);
    if (const double others = settings_.others(now) * tick_seconds; others > 0) {
      Enter(Owner::kOthers, others, now);
    }
    Serve(settings_.bytes_per_second * tick_seconds, now);
    longest_queue_ = std::max(longest_queue_, queued_);
  }
  return limit;
}

void SimulatedLine::TakeReturns(SaturationRamp& ramp, Nanoseconds now) {
  while (!returns_.empty() && returns_.front().at <= now) {
    const auto [at, chunk] = returns_.front();
    returns_.pop_front();
    if (settings_.cut_at && at >= *settings_.cut_at) continue;
    if (chunk.owner == Owner::kProbe) {
      std::exponential_distribution<double> late(
          settings_.jitter.count() > 0 ? 1.0 / static_cast<double>(settings_.jitter.count()) : 1);
      const Nanoseconds extra(
          settings_.jitter.count() > 0 ? static_cast<std::int64_t>(late(random_)) : 0);
      ramp.OnRoundTrip(At(now), at - chunk.entered + extra);
    } else if (chunk.generation == generation_) {
      in_flight_ -= chunk.bytes;
      ramp.OnDelivered(At(now), static_cast<std::uint64_t>(chunk.bytes));
      if (chunk.marked) ramp.OnEcn(At(now));
    }
  }
  if (resend_at_ && *resend_at_ <= now) {
    resend_at_.reset();
    ++generation_;
    in_flight_ = 0;
    ramp.OnLoss(At(now));
  }
}

void SimulatedLine::Post(SaturationRamp& ramp, Nanoseconds now, double host_bytes) {
  const double allowed =
      std::min(static_cast<double>(ramp.InFlight(At(now))), settings_.sender_window_bytes);
  const double message = std::max(kLeastMessage, std::floor(allowed / 16));
  host_credit_ = std::min(host_credit_ + host_bytes, std::max(host_bytes, message));
  while (in_flight_ + message <= allowed && host_credit_ >= message) {
    const auto granted = static_cast<double>(budget_.Take(static_cast<std::uint64_t>(message)));
    if (granted > 0) Enter(Owner::kSender, granted, now);
    if (granted < message) {
      ramp.OnQuotaSpent(At(now));
      return;
    }
    host_credit_ -= message;
  }
}

void SimulatedLine::Enter(Owner owner, double bytes, Nanoseconds now) {
  if (owner == Owner::kSender) in_flight_ += bytes;
  if (queued_ + bytes > settings_.buffer_bytes) {
    // The receiver takes nothing more until the sender has learnt of the gap.
    if (owner == Owner::kSender && !resend_at_) {
      const auto wait = static_cast<std::int64_t>(queued_ / settings_.bytes_per_second * 1e9);
      resend_at_ = now + settings_.rtt + Nanoseconds(wait);
    }
    return;
  }
  const bool useful = owner != Owner::kSender || !resend_at_;
  queue_.push_back({.owner = owner,
                    .bytes = bytes,
                    .left = bytes,
                    .generation = useful ? generation_ : 0,
                    .entered = now,
                    .marked = queued_ > settings_.ecn_above_bytes});
  queued_ += bytes;
}

void SimulatedLine::Serve(double bytes, Nanoseconds now) {
  serve_credit_ += bytes;
  while (!queue_.empty() && queue_.front().left <= serve_credit_) {
    Chunk& chunk = queue_.front();
    serve_credit_ -= chunk.left;
    queued_ -= chunk.left;
    if (chunk.owner != Owner::kOthers) returns_.push_back({now + settings_.rtt, chunk});
    queue_.pop_front();
  }
  if (queue_.empty()) {
    serve_credit_ = 0;
    queued_ = 0;
    return;
  }
  queue_.front().left -= serve_credit_;
  queued_ -= serve_credit_;
  serve_credit_ = 0;
}

}  // namespace fairlead::linkprobe
