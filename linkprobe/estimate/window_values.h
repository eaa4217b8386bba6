// What the estimator tells the detector at each step.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Probes sent within a span whose fate in one direction is decided. `bursts` counts runs of
// consecutive losses.
struct LossCount {
  std::uint64_t lost = 0;
  std::uint64_t sent = 0;
  std::uint64_t bursts = 0;
};

struct LossCounts {
  LossCount forward;
  LossCount reverse;
  std::uint64_t unknown = 0;  // lost, direction not known yet
};

// Optionals are absent while there is no sample. "Spread" is p90 - p10: it ignores the one sample
// in ten that a stalled host or a heavy tail delays, and shows what every packet meets.
struct WindowValues {
  std::uint64_t samples = 0;              // RTT samples in the window
  std::uint64_t sent_recently = 0;        // probes sent within down_after
  std::optional<Nanoseconds> rtt_p50;     // over DetectorSettings::window
  std::uint64_t below_floor = 0;          // answers refused as faster than light, over pdv_window
  std::optional<Nanoseconds> rtt_spread;  // over pdv_window, as are the next two
  std::optional<Nanoseconds> forward_spread;
  std::optional<Nanoseconds> reverse_spread;
  std::optional<Nanoseconds> prober_delay_p50;  // over window
  std::optional<Nanoseconds> responder_delay_p50;
  std::optional<Nanoseconds> host_lateness;   // p90 of how late the own loop woke, over window
  LossCounts loss;                            // over loss_window
  LossCounts loss_critical;                   // over loss_critical_window
  std::optional<Nanoseconds> unanswered_for;  // since the first probe after the last answered one
  std::optional<std::uint32_t> forward_hops;
  std::optional<std::uint32_t> reverse_hops;
};

}  // namespace fairlead::linkprobe
