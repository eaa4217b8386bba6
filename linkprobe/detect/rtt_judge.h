// Whether the round trip has become longer: at once, or slowly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "linkprobe/detect/baseline.h"
#include "linkprobe/detect/finding.h"
#include "linkprobe/detect/window_history.h"

namespace fairlead::linkprobe {

// Two paths, because neither finds everything: m of n windows above the band for steps, and the
// median of the last minute above the configured band for a drift that noise hides from the first.
class RttJudge {
 public:
  // The p50 of one whole window; nothing for a window that is not judged.
  void Add(std::optional<Nanoseconds> p50);

  // Degraded or Suspect with rtt_step or rtt_drift, or nothing. `known` is the reason given at the
  // step before: in time a step looks like a drift, for all that is remembered is then high.
  std::optional<Finding> Judge(const WindowHistory& history, const Baseline& baseline,
                               const DetectorSettings& settings,
                               std::optional<LinkReason> known) const;

  // The p50s of up to `most` newest whole windows, nanoseconds, oldest first.
  std::vector<std::int64_t> Newest(std::size_t most) const;
  // Their median; nothing before the first.
  std::optional<Nanoseconds> NewestMedian(std::size_t most) const;

 private:
  static constexpr std::size_t kSlowWindows = 60;
  static constexpr std::size_t kFewestForSlow = 30;

  std::optional<Finding> JudgeFast(const WindowHistory& history, const Baseline& baseline,
                                   const DetectorSettings& settings,
                                   std::optional<LinkReason> known) const;
  std::optional<Finding> JudgeSlow(const Baseline& baseline,
                                   const DetectorSettings& settings) const;

  std::vector<std::int64_t> p50s_;  // at most kSlowWindows, oldest first
};

}  // namespace fairlead::linkprobe
