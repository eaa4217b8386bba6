#include "linkprobe/saturate/saturation_run.h"

#include <poll.h>

#include <algorithm>

#include "common/units/duration.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kTurnMs = 4;
constexpr Nanoseconds kWatchEvery = Milliseconds(200);
// A window is in so many messages, so that one that completes leaves the line busy.
constexpr std::uint64_t kMessagesPerWindow = 16;
constexpr std::uint64_t kLargestMessage = 1024 * 1024;

class Run {
 public:
  Run(const SaturationInputs& inputs, const RampSettings& settings)
      : inputs_(inputs), ramp_(settings, inputs.clock.Now()) {}

  Result<SaturationResult> UntilFinished(Nanoseconds limit) {
    const MonotonicTime begin = inputs_.clock.Now();
    MonotonicTime next_watch = begin;
    while (!ramp_.finished()) {
      pollfd ready{.fd = inputs_.sender.descriptor(), .events = POLLIN, .revents = 0};
      (void)::poll(&ready, 1, kTurnMs);
      const auto delivered = inputs_.sender.TakeDelivered();
      if (!delivered) return Fail(delivered.error());
      const MonotonicTime now = inputs_.clock.Now();
      Tell(*delivered, now);
      ramp_.Turn(now);
      if (auto posted = Post(now); !posted) return Fail(posted.error());
      if (now >= next_watch) {
        next_watch = now + kWatchEvery;
        if (!inputs_.watch(ramp_.Progress(now))) {
          return Fail(ErrorCode::kUnavailable, "interrupted");
        }
      }
      if (now - begin > limit) {
        return Fail(ErrorCode::kUnavailable, "the test found no end in " + FormatDuration(limit));
      }
    }
    return ramp_.result();
  }

 private:
  void Tell(std::uint64_t delivered, MonotonicTime now) {
    if (delivered > 0) ramp_.OnDelivered(now, delivered);
    in_flight_ -= std::min(in_flight_, delivered);
    while (const auto seen = inputs_.round_trips.TryPop()) {
      ramp_.OnRoundTrip(seen->at, seen->rtt);
      if (seen->ecn) ramp_.OnEcn(seen->at);
      if (seen->loss) ramp_.OnLoss(seen->at);
    }
  }

  Status Post(MonotonicTime now) {
    const std::uint64_t allowed = ramp_.InFlight(now);
    const std::uint64_t mtu = std::max<std::uint64_t>(1, inputs_.path_mtu_bytes);
    // Whole packets, since one that is not full takes a place of the device's window all the same.
    const std::uint64_t message =
        std::clamp(allowed / kMessagesPerWindow / mtu * mtu, mtu, kLargestMessage);
    while (in_flight_ + message <= allowed && !inputs_.sender.IsFull()) {
      const std::uint64_t granted = inputs_.budget.Take(message);
      if (granted > 0) {
        if (auto posted = inputs_.sender.Post(static_cast<std::uint32_t>(granted)); !posted) {
          inputs_.budget.Return(granted);
          return posted;
        }
        in_flight_ += granted;
      }
      if (granted < message) {
        ramp_.OnQuotaSpent(now);
        return {};
      }
    }
    return {};
  }

  const SaturationInputs& inputs_;
  SaturationRamp ramp_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace

Result<SaturationResult> RunSaturation(const SaturationInputs& inputs, const RampSettings& settings,
                                       Nanoseconds limit) {
  return Run(inputs, settings).UntilFinished(limit);
}

}  // namespace fairlead::linkprobe
