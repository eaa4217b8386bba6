// What a stretch of samples says about delay and its variation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/estimate/sample_window.h"

namespace fairlead::linkprobe {

struct DirectionSummary {
  std::uint64_t duplicates = 0;
  std::uint64_t reordered = 0;
  std::uint64_t ecn_marked = 0;
  std::optional<Nanoseconds> jitter;  // RFC 3550, 6.4.1: J += (|D| - J) / 16
  std::optional<Nanoseconds> pdv;     // p99 - min of the one-way delay (RFC 5481), drift removed
};

struct Summary {
  std::uint64_t answered = 0;
  std::uint64_t below_floor = 0;
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  std::optional<Nanoseconds> prober_delay_p50;
  std::optional<Nanoseconds> responder_delay_p50;
  DirectionSummary forward;
  DirectionSummary reverse;
};

// Computes over samples [first, end) of a window; holds scratch memory only. `slope` is
// ClockDrift's; nothing while that is not known, and then PDV is not known either.
class Summariser {
 public:
  Summary Summarise(const SampleWindow& window, std::uint64_t first, std::optional<double> slope);

  // A quantile of one of the delays, of the usable samples.
  std::optional<Nanoseconds> QuantileOf(const SampleWindow& window, std::uint64_t first,
                                        std::int64_t Delays::*value, double q);
  std::optional<Nanoseconds> LeastRtt(const SampleWindow& window, std::uint64_t first);
  // p90 - p10 of one of the delays; with `gain` nanoseconds per nanosecond taken out, which is the
  // clock's drift as it shows in that delay. Of the newest one-way epoch only unless it is the RTT.
  std::optional<Nanoseconds> SpreadOf(const SampleWindow& window, std::uint64_t first,
                                      std::int64_t Delays::*value, double gain);

 private:
  void Collect(const SampleWindow& window, std::uint64_t first, std::int64_t Delays::*value);
  void CollectOneWay(const SampleWindow& window, std::uint64_t first, std::int64_t Delays::*value,
                     double gain);

  std::vector<std::int64_t> scratch_;
};

}  // namespace fairlead::linkprobe
