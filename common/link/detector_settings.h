// When a line counts as degraded, and when as well again.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead {

// Defaults follow the proposals that practitioners' thresholds suggest; all are config keys.
struct DetectorSettings {
  Nanoseconds window = Seconds(1);        // one p50 per window
  std::uint32_t windows_bad = 8;          // m of ...
  std::uint32_t windows_considered = 10;  // ... n
  double band_ratio = 0.03;               // degraded above baseline + max(ratio x baseline, floor)
  Nanoseconds band_floor = Milliseconds(1);
  double pdv_factor = 3;                    // fluctuation: PDV above factor x its baseline ...
  Nanoseconds pdv_floor = Milliseconds(5);  // ... and at least this much above it
  Nanoseconds pdv_window = Seconds(3);      // span one PDV value (p90 - p10) is taken over
  double loss_degraded = 1e-3;              // against the Wilson lower bound over loss_window
  Nanoseconds loss_window = Seconds(60);
  double loss_critical = 1e-2;  // against the Wilson lower bound over loss_critical_window
  Nanoseconds loss_critical_window = Seconds(10);
  Nanoseconds down_after = Seconds(10);         // every probe unanswered for so long
  Nanoseconds baseline_span = Seconds(600);     // what the baseline is learnt from
  std::uint32_t baseline_windows = 10;          // windows needed before anything is judged
  Nanoseconds recovery = Seconds(60);           // inside half the band for so long
  Nanoseconds dwell = Seconds(60);              // shortest time from Degraded or Down to Healthy
  Nanoseconds flap_penalty_max = Seconds(300);  // each relapse doubles the dwell up to this
  Nanoseconds host_noise = Milliseconds(20);    // a host delay above this suspends judgement
  Nanoseconds baseline_adopt = Seconds(24 * 3600);  // a higher delay that stood so long is the new
                                                    // baseline; 0: never
  bool operator==(const DetectorSettings&) const = default;
};

}  // namespace fairlead
