#include "linkprobe/saturate/train_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::linkprobe {
namespace {

// Long against the lateness of stamps that a host takes in software.
constexpr Nanoseconds kWantedSpan = Milliseconds(40);
constexpr Nanoseconds kSettle = Milliseconds(50);
constexpr std::uint32_t kTrainsBeforeNone = 3;

struct OneTrain {
  double bytes_per_second = 0;
  bool sender_bound = false;
};

class Run {
 public:
  explicit Run(const TrainInputs& inputs) : inputs_(inputs) {}

  Result<TrainResult> All() {
    std::optional<double> rate;
    std::vector<double> rates;
    std::uint32_t bound = 0;
    for (std::uint32_t train = 1; train <= kMostTrains && rates.size() < kLeastTrains; ++train) {
      const std::uint32_t length =
          NextTrainLength(rate, inputs_.sender.frame_bytes(), kWantedSpan, kMostTrainBytes);
      const auto one = Send(train, length, rate);
      if (!one) return Fail(one.error());
      if (!*one) {
        if (!rate && train == kTrainsBeforeNone) {
          return Fail(ErrorCode::kNotFound, "no train arrived");
        }
        continue;
      }
      // A train much shorter than the line needs has only told how long the next must be.
      const bool counts =
          2 * length >= NextTrainLength((*one)->bytes_per_second, inputs_.sender.frame_bytes(),
                                        kWantedSpan, kMostTrainBytes);
      rate = (*one)->bytes_per_second;
      if (!counts) continue;
      rates.push_back((*one)->bytes_per_second);
      if ((*one)->sender_bound) ++bound;
      if (!inputs_.watch((*one)->bytes_per_second)) {
        return Fail(ErrorCode::kUnavailable, "interrupted");
      }
    }
    const auto estimate = EstimateFromTrains(rates);
    if (!estimate) {
      return Fail(ErrorCode::kUnavailable, "only " + std::to_string(rates.size()) + " of " +
                                               std::to_string(kMostTrains) +
                                               " trains arrived so that they can be read; " +
                                               std::to_string(kLeastTrains) + " are needed");
    }
    return TrainResult{.estimate = *estimate, .sender_bound = 2 * bound > rates.size()};
  }

 private:
  // True where the stop came first.
  bool Wait(Nanoseconds duration) const {
    std::mutex mutex;
    std::condition_variable_any waiting;
    std::unique_lock lock(mutex);
    waiting.wait_for(lock, inputs_.stop, duration, [] { return false; });
    return inputs_.stop.stop_requested();
  }

  // Nothing where the train cannot be read.
  Result<std::optional<OneTrain>> Send(std::uint32_t train, std::uint32_t length,
                                       std::optional<double> rate) {
    const std::uint64_t bytes = std::uint64_t{length} * inputs_.sender.frame_bytes();
    if (inputs_.budget.left() < bytes) {
      return Fail(ErrorCode::kResourceExhausted, "the bytes that may be sent are spent");
    }
    (void)inputs_.budget.Take(bytes);
    const auto took = inputs_.sender.Send(train, length, inputs_.clock);
    if (!took) return Fail(took.error());
    // By a peer's stamps a line may be as slow as any number says.
    const double seconds = rate ? std::min(1.0, static_cast<double>(bytes) / *rate) : 0;
    const Nanoseconds span =
        rate ? Nanoseconds(static_cast<std::int64_t>(seconds * 1e9)) : kWantedSpan;
    if (Wait(inputs_.rtt + 2 * span + kSettle)) {
      return Fail(ErrorCode::kUnavailable, "interrupted");
    }
    const auto arrivals = inputs_.call.Arrivals(train);
    if (!arrivals) return Fail(arrivals.error());
    const auto arrived = TrainRate(*arrivals, inputs_.sender.frame_bytes());
    if (!arrived) return std::optional<OneTrain>();
    const double left = static_cast<double>(bytes) * 1e9 /
                        static_cast<double>(std::max<std::int64_t>(1, took->count()));
    return std::optional(
        OneTrain{.bytes_per_second = *arrived, .sender_bound = left < 1.25 * *arrived});
  }

  const TrainInputs& inputs_;
};

}  // namespace

Result<TrainResult> RunTrains(const TrainInputs& inputs) { return Run(inputs).All(); }

}  // namespace fairlead::linkprobe
