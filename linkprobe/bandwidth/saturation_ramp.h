// How many bytes a saturation test keeps in flight, from its first byte to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/bandwidth/delivery_meter.h"
#include "linkprobe/bandwidth/harm_watch.h"
#include "linkprobe/bandwidth/round_trips.h"
#include "linkprobe/bandwidth/saturation_result.h"

namespace fairlead::linkprobe {

struct RampSettings {
  std::uint64_t start_bytes = 32 * 1024;
  std::uint64_t most_bytes = std::uint64_t{1} << 40;  // what the sender can have in flight
  std::optional<double> target_bytes_per_second{};    // grow no further than this times the RTT
  double growth = 1.5;                                // of the window, a step
  std::uint32_t idle_replies = 20;                    // that make the idle round trip
  Nanoseconds hold = Seconds(1);                      // at least, and never below 8 round trips
  HarmSettings harm{};
};

// What a person watches while it runs.
struct RampProgress {
  const char* phase = "";  // "idle", "ramp", "approach", "hold", "done"
  std::uint64_t in_flight_bytes = 0;
  double bytes_per_second = 0;       // over the last round trip
  std::optional<Nanoseconds> rtt{};  // median over the last few
};

// Measures the idle round trip, then grows the window step by step, each spread over a round trip,
// settled for another and measured for three. Below a line's capacity delivery grows as the window
// does; where it grows by less than half as much, twice, the knee is passed. A window of 1.15 x
// delivery x the RTT before the knee (more where that delivers less, or where the idle RTT spread)
// is then held, and what it delivers is the result. Ends early on harm, spent quota or silence.
// Pure; not thread-safe. Time does not go backwards; Turn is to be called every few milliseconds.
class SaturationRamp {
 public:
  SaturationRamp(const RampSettings& settings, MonotonicTime begin);

  void OnDelivered(MonotonicTime at, std::uint64_t bytes);
  void OnRoundTrip(MonotonicTime at, Nanoseconds rtt);
  void OnEcn(MonotonicTime at);
  void OnLoss(MonotonicTime at);
  // No more bytes may be sent.
  void OnQuotaSpent(MonotonicTime now);
  void Turn(MonotonicTime now);

  // How many bytes may be in flight now; 0 before the start and after the end.
  std::uint64_t InFlight(MonotonicTime now) const;
  bool finished() const { return phase_ == Phase::kDone; }
  const SaturationResult& result() const { return result_; }
  RampProgress Progress(MonotonicTime now) const;

 private:
  enum class Phase { kIdle, kRamp, kApproach, kHold, kDone };
  struct Step {
    MonotonicTime begin{};
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    MonotonicTime settled{};
    MonotonicTime end{};
    bool measuring = false;  // `settled` is a turn: what it was told is not measured
  };
  // What one step's window delivered.
  struct Measured {
    std::uint64_t window = 0;
    Delivery delivery{};
    Nanoseconds rtt{};
  };

  void Begin(MonotonicTime now);
  void StartStep(MonotonicTime now, std::uint64_t window);
  void StartHold(MonotonicTime now);
  void Judge(const Measured& measured, MonotonicTime now);
  void Approach(const Measured& knee, MonotonicTime now);
  void Resume(const Measured& measured, MonotonicTime now);
  bool IsKnee(const Measured& measured) const;
  bool HasQueued(const Measured& measured) const;
  bool LeavesRoom(const Measured& measured) const;
  bool IsFull(const Measured& measured) const;
  double RateOf(std::uint64_t window) const;  // over the idle round trip
  void Doubt(const Measured& knee, MonotonicTime now);
  Measured Measure(MonotonicTime from, MonotonicTime to, bool held) const;
  void Keep(const Measured& measured);
  std::uint64_t LargestWindow() const;
  Nanoseconds LoadedRtt(MonotonicTime now) const;
  bool IsSilent(MonotonicTime now) const;
  std::string KneeEvidence() const;
  void Finish(SaturationEnd end, std::string evidence);

  const RampSettings settings_;
  const MonotonicTime begin_;
  Phase phase_ = Phase::kIdle;
  Nanoseconds idle_rtt_{};
  Nanoseconds idle_spread_{};
  Step step_;
  std::optional<Measured> before_;  // the newest step below the knee
  bool doubted_ = false;            // the newest step was beyond the knee, for the first time
  int resumed_ = 0;                 // times that the ramp went on after a knee that was none
  std::optional<Measured> knee_;
  SaturationEnd cause_ = SaturationEnd::kSender;  // of the hold, once it is over
  std::optional<HarmWatch> harm_;
  DeliveryMeter delivered_;
  RoundTrips trips_;
  MonotonicTime last_turn_;
  MonotonicTime last_sign_;  // of the peer, of either kind
  MonotonicTime last_delivery_;
  SaturationResult result_;
};

}  // namespace fairlead::linkprobe
