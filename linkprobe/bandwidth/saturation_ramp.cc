#include "linkprobe/bandwidth/saturation_ramp.h"

#include <algorithm>
#include <utility>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kHistory = Seconds(60);
constexpr std::size_t kRoundTripsKept = 4096;
constexpr Nanoseconds kIdleGiveUp = Seconds(10);
constexpr int kMeasuredRoundTrips = 3;
constexpr int kHeldRoundTrips = 8;
constexpr std::uint32_t kHeldParts = 8;
// On a host that stalls now and then a step is long against that.
constexpr int kMeasuredSpreads = 25;
// A step shorter than this would measure the batches in which completions come.
constexpr Nanoseconds kShortestMeasure = Milliseconds(100);
// Delivery that grows by less than this share of the window's growth has met the knee; with the
// round trip risen too, this larger share suffices.
constexpr double kKneeShare = 0.5;
constexpr double kRisenKneeShare = 0.7;
// Of a window that is not held back in the sender so much is under way.
constexpr double kHeldBack = 0.8;
// A window that delivers this share of what the line gave at most is large enough.
constexpr double kFull = 0.97;
constexpr double kHeadroom = 1.15;
constexpr int kMostResumed = 3;
constexpr double kApproachGrowth = 1.2;
// The round trip of a line's queue grows as delivery falls behind the window; a step whose RTT grew
// by less met another limit.
constexpr double kQueueShare = 1.1;
constexpr double kNoQueueShare = 1.05;
// Longer than a lost packet needs to be sent again after an ACK timeout.
constexpr Nanoseconds kStalledAfter = Seconds(3);
// Turns are a few milliseconds apart; so much later, this host or process did not run.
constexpr Nanoseconds kHostStall = Milliseconds(20);

std::uint64_t Scaled(std::uint64_t bytes, double by) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * by);
}

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) * 1e-9; }

}  // namespace

SaturationRamp::SaturationRamp(const RampSettings& settings, MonotonicTime begin)
    : settings_(settings),
      begin_(begin),
      delivered_(kHistory),
      trips_(kRoundTripsKept),
      last_turn_(begin),
      last_sign_(begin),
      last_delivery_(begin) {}

void SaturationRamp::OnDelivered(MonotonicTime at, std::uint64_t bytes) {
  delivered_.Add(at, bytes);
  last_sign_ = std::max(last_sign_, at);
  last_delivery_ = last_sign_;
}

void SaturationRamp::OnRoundTrip(MonotonicTime at, Nanoseconds rtt) {
  trips_.Add(at, rtt);
  last_sign_ = std::max(last_sign_, at);
}

void SaturationRamp::OnEcn(MonotonicTime at) {
  if (harm_) harm_->OnEcn(at);
}

void SaturationRamp::OnLoss(MonotonicTime at) {
  if (harm_) harm_->OnLoss(at);
}

void SaturationRamp::OnQuotaSpent(MonotonicTime now) {
  if (finished()) return;
  // A hold that was cut short has still measured, if less.
  if (phase_ == Phase::kHold && now - step_.settled >= kMeasuredRoundTrips * idle_rtt_) {
    Keep(Measure(step_.settled, now, true));
  }
  Finish(SaturationEnd::kQuota, "the bytes that may be sent were spent before the end");
}

void SaturationRamp::Turn(MonotonicTime now) {
  if (finished()) return;
  const Nanoseconds since = now - std::exchange(last_turn_, now);
  if (phase_ == Phase::kIdle) {
    if (trips_.size() >= settings_.idle_replies) {
      Begin(now);
    } else if (now - begin_ > kIdleGiveUp) {
      Finish(SaturationEnd::kNoReplies, "only " +
                                            Counted(trips_.size(), "probe was", "probes were") +
                                            " answered in " + HumanDuration(kIdleGiveUp));
    }
    return;
  }
  if (since > kHostStall) harm_->OnHostStall(now);
  if (IsSilent(now)) {
    Finish(SaturationEnd::kSilent, "nothing came back for " + HumanDuration(now - last_sign_));
    return;
  }
  if (now - last_delivery_ > kStalledAfter + 8 * idle_rtt_) {
    Finish(SaturationEnd::kSilent, "nothing was delivered for " +
                                       HumanDuration(now - last_delivery_) +
                                       " though probes are answered; do packets of the full path "
                                       "MTU get through?");
    return;
  }
  if (auto evidence = harm_->Judge(now, delivered_, trips_)) {
    Finish(SaturationEnd::kHarm, std::move(*evidence));
    return;
  }
  if (now < step_.settled) return;
  if (!step_.measuring) {
    // From turn to turn, since what arrived between two of them is told at the later: on a host
    // that runs this seldom it would lie outside any other interval.
    step_.end += now - step_.settled;
    step_.settled = now;
    step_.measuring = true;
    return;
  }
  if (now < step_.end) return;
  const Measured measured = Measure(step_.settled, now, phase_ == Phase::kHold);
  if (measured.delivery.bytes_per_second <= 0) {
    StartStep(now, step_.to);  // lost packets are sent again only after an ACK timeout
    return;
  }
  Keep(measured);
  Judge(measured, now);
}

void SaturationRamp::Begin(MonotonicTime now) {
  idle_rtt_ = std::max(*trips_.Median(begin_ - Nanoseconds(1)), Nanoseconds(1000));
  result_.idle_rtt = idle_rtt_;
  idle_spread_ = trips_.Spread(begin_ - Nanoseconds(1));
  harm_.emplace(settings_.harm, idle_rtt_, idle_spread_, trips_.MeanGap().value_or(idle_rtt_));
  last_delivery_ = now;
  phase_ = Phase::kRamp;
  StartStep(now, std::min(settings_.start_bytes, LargestWindow()));
}

std::uint64_t SaturationRamp::LargestWindow() const {
  if (!settings_.target_bytes_per_second) return settings_.most_bytes;
  const double by_target = *settings_.target_bytes_per_second * InSeconds(idle_rtt_);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(
                                        by_target, static_cast<double>(settings_.most_bytes))));
}

Nanoseconds SaturationRamp::LoadedRtt(MonotonicTime now) const {
  const auto median = trips_.Median(now - std::max(idle_rtt_, Nanoseconds(Milliseconds(50))), 3);
  return std::max(median.value_or(idle_rtt_), idle_rtt_);
}

void SaturationRamp::StartStep(MonotonicTime now, std::uint64_t window) {
  const Nanoseconds loaded = LoadedRtt(now);
  step_.begin = now;
  step_.from = std::min(step_.to, window);
  step_.to = window;
  step_.settled = now + idle_rtt_ + loaded;
  step_.end = step_.settled + std::max({kMeasuredRoundTrips * loaded, kShortestMeasure,
                                        kMeasuredSpreads * idle_spread_});
  step_.measuring = false;
}

void SaturationRamp::StartHold(MonotonicTime now) {
  phase_ = Phase::kHold;
  step_.from = step_.to;
  step_.settled = now;
  step_.measuring = true;
  step_.end = now + std::max(settings_.hold, kHeldRoundTrips * LoadedRtt(now));
}

SaturationRamp::Measured SaturationRamp::Measure(MonotonicTime from, MonotonicTime to,
                                                 bool held) const {
  const std::uint32_t parts = held ? kHeldParts : kMeasuredRoundTrips;
  Measured measured{.window = step_.to, .rtt = trips_.Median(from).value_or(idle_rtt_)};
  Delivery& delivery = measured.delivery;
  delivery = {.bytes_per_second = delivered_.Rate(from, to),
              .lowest = delivered_.Rate(from, from + (to - from) / parts),
              .parts = parts,
              .in_flight_bytes = step_.to,
              .length = to - from,
              .held = held};
  for (std::uint32_t part = 0; part < parts; ++part) {
    const double rate =
        delivered_.Rate(from + (to - from) * part / parts, from + (to - from) * (part + 1) / parts);
    delivery.lowest = std::min(delivery.lowest, rate);
    delivery.highest = std::max(delivery.highest, rate);
  }
  return measured;
}

void SaturationRamp::Keep(const Measured& measured) {
  const auto& best = result_.delivery;
  if (best && !measured.delivery.held &&
      best->bytes_per_second >= measured.delivery.bytes_per_second) {
    return;
  }
  result_.delivery = measured.delivery;
  result_.loaded_rtt = measured.rtt;
}

bool SaturationRamp::IsKnee(const Measured& measured) const {
  if (!before_) return false;
  const double window_growth =
      static_cast<double>(measured.window) / static_cast<double>(before_->window);
  // What was late before and came in a burst is not what that window delivers.
  const double before = std::min(before_->delivery.bytes_per_second,
                                 static_cast<double>(before_->window) / InSeconds(idle_rtt_));
  const double growth = measured.delivery.bytes_per_second / before;
  if (growth >= 1 + kRisenKneeShare * (window_growth - 1)) return false;
  if (HasQueued(measured)) {
    return growth < 1 + kKneeShare * (window_growth - 1) || harm_->HasRisen(measured.rtt);
  }
  // Without a queue on the line the window is either under way or held back in this host.
  const double under_way = measured.delivery.bytes_per_second * InSeconds(measured.rtt);
  return growth < 1 + kKneeShare * (window_growth - 1) &&
         under_way < kHeldBack * static_cast<double>(measured.window);
}

void SaturationRamp::Judge(const Measured& measured, MonotonicTime now) {
  switch (phase_) {
    case Phase::kRamp:
      if (IsKnee(measured)) {
        if (doubted_) {
          Approach(measured, now);
        } else {
          Doubt(measured, now);
        }
        return;
      }
      doubted_ = false;
      before_ = measured;
      harm_->Expect(measured.delivery.bytes_per_second, measured.rtt);
      if (measured.window >= LargestWindow()) {
        cause_ = LargestWindow() < settings_.most_bytes ? SaturationEnd::kTarget
                                                        : SaturationEnd::kSender;
        StartHold(now);
      } else {
        StartStep(now,
                  std::min(std::max(Scaled(measured.window, settings_.growth), measured.window + 1),
                           LargestWindow()));
      }
      return;
    case Phase::kApproach:
      if (measured.window >= knee_->window ||
          measured.delivery.bytes_per_second >= kFull * knee_->delivery.bytes_per_second) {
        harm_->Expect(measured.delivery.bytes_per_second, measured.rtt);
        if (cause_ == SaturationEnd::kLine && LeavesRoom(measured) && resumed_ < kMostResumed) {
          Resume(measured, now);
        } else {
          StartHold(now);
        }
      } else {
        StartStep(now, std::min(Scaled(measured.window, kApproachGrowth), knee_->window));
      }
      return;
    case Phase::kHold:
      if (cause_ == SaturationEnd::kTarget && before_ && IsFull(measured)) {
        Finish(SaturationEnd::kLine,
               "of a window for " + HumanRate(RateOf(measured.window) * 8) + " only " +
                   HumanRate(measured.delivery.bytes_per_second * 8) +
                   " were delivered; the round trip went from " + HumanDuration(idle_rtt_) +
                   " to " + HumanDuration(measured.rtt));
        return;
      }
      Finish(cause_, KneeEvidence());
      return;
    case Phase::kIdle:
    case Phase::kDone:
      return;
  }
}

double SaturationRamp::RateOf(std::uint64_t window) const {
  return static_cast<double>(window) / InSeconds(idle_rtt_);
}

bool SaturationRamp::IsFull(const Measured& measured) const {
  return static_cast<double>(measured.rtt.count()) >
             kQueueShare * static_cast<double>(idle_rtt_.count()) &&
         measured.delivery.bytes_per_second * kQueueShare < RateOf(measured.window);
}

bool SaturationRamp::HasQueued(const Measured& measured) const {
  return static_cast<double>(measured.rtt.count()) >
         kQueueShare * static_cast<double>(before_->rtt.count());
}

void SaturationRamp::Doubt(const Measured& knee, MonotonicTime now) {
  doubted_ = true;
  // Where a queue has grown the same window is measured again; where none has, a larger one.
  StartStep(now, HasQueued(knee)
                     ? knee.window
                     : std::min(Scaled(knee.window, settings_.growth), LargestWindow()));
}

bool SaturationRamp::LeavesRoom(const Measured& measured) const {
  return static_cast<double>(measured.rtt.count()) <
             kNoQueueShare * static_cast<double>(before_->rtt.count()) &&
         InSeconds(measured.rtt) < kQueueShare * InSeconds(idle_rtt_) + InSeconds(idle_spread_);
}

// A window with headroom that leaves no queue has not filled the line: what looked like the knee
// was a host's stall.
void SaturationRamp::Resume(const Measured& measured, MonotonicTime now) {
  ++resumed_;
  doubted_ = false;
  before_ = measured;
  phase_ = Phase::kRamp;
  StartStep(now, std::min(Scaled(measured.window, settings_.growth), LargestWindow()));
}

void SaturationRamp::Approach(const Measured& knee, MonotonicTime now) {
  knee_ = knee;
  cause_ = HasQueued(knee) ? SaturationEnd::kLine : SaturationEnd::kSender;
  harm_->Expect(0.9 * knee.delivery.bytes_per_second, before_->rtt);
  phase_ = Phase::kApproach;
  // The line's queue outlasts what this host stalls for.
  const double window = knee.delivery.bytes_per_second *
                        (kHeadroom * InSeconds(before_->rtt) + 2 * InSeconds(idle_spread_));
  if (cause_ == SaturationEnd::kSender) {
    // No queue on the line is the longer for a large window; one that delivers less is no gain.
    const bool worse = knee.delivery.bytes_per_second < before_->delivery.bytes_per_second;
    StartStep(now, worse ? before_->window : knee.window);
    return;
  }
  StartStep(now, std::clamp(static_cast<std::uint64_t>(window), before_->window, knee.window));
}

bool SaturationRamp::IsSilent(MonotonicTime now) const {
  return now - last_sign_ > Seconds(2) + 4 * idle_rtt_;
}

std::string SaturationRamp::KneeEvidence() const {
  switch (cause_) {
    case SaturationEnd::kTarget:
      return "the target rate was delivered and the round trip did not show a full line";
    case SaturationEnd::kSender:
      if (!knee_) return "the largest window of the sender was delivered in full";
      [[fallthrough]];
    default:
      break;
  }
  return "from " + HumanRate(before_->delivery.bytes_per_second * 8) + " delivery grew only to " +
         HumanRate(knee_->delivery.bytes_per_second * 8) + " when the window grew by " +
         HumanPercent(static_cast<double>(knee_->window) / static_cast<double>(before_->window) -
                      1) +
         "; the round trip went from " + HumanDuration(before_->rtt) + " to " +
         HumanDuration(knee_->rtt);
}

void SaturationRamp::Finish(SaturationEnd end, std::string evidence) {
  phase_ = Phase::kDone;
  result_.end = end;
  result_.evidence = std::move(evidence);
}

std::uint64_t SaturationRamp::InFlight(MonotonicTime now) const {
  if (phase_ == Phase::kIdle || phase_ == Phase::kDone) return 0;
  if (now >= step_.begin + idle_rtt_) return step_.to;
  const double share = InSeconds(now - step_.begin) / InSeconds(idle_rtt_);
  return step_.from + Scaled(step_.to - step_.from, std::clamp(share, 0.0, 1.0));
}

RampProgress SaturationRamp::Progress(MonotonicTime now) const {
  RampProgress progress{.in_flight_bytes = InFlight(now)};
  switch (phase_) {
    case Phase::kIdle:
      progress.phase = "idle";
      break;
    case Phase::kRamp:
      progress.phase = "ramp";
      break;
    case Phase::kApproach:
      progress.phase = "approach";
      break;
    case Phase::kHold:
      progress.phase = "hold";
      break;
    case Phase::kDone:
      progress.phase = "done";
      break;
  }
  const Nanoseconds span = std::max(idle_rtt_, Nanoseconds(Milliseconds(100)));
  progress.bytes_per_second = delivered_.Rate(now - span, now);
  progress.rtt = trips_.Median(now - span);
  return progress;
}

}  // namespace fairlead::linkprobe
