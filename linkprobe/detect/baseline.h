// What a path is like when it is well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"

namespace fairlead::linkprobe {

// The median of the windows' p50 and of their spread, learnt over one baseline_span and then
// frozen, so that a slow drift cannot carry it along. Each further span only lowers it.
class Baseline {
 public:
  // One window that is known to be good.
  void Learn(Nanoseconds p50, std::optional<Nanoseconds> spread, const DetectorSettings& settings);
  // The path changed: starts over from these p50s, in nanoseconds, of which there is at least one.
  void Relearn(const std::vector<std::int64_t>& p50s);

  bool ready() const { return ready_; }
  std::size_t learnt() const { return p50s_.size(); }
  Nanoseconds p50() const { return p50_; }
  Nanoseconds spread() const { return spread_; }

  // How far p50 may rise: max(ratio x baseline, floor, 6 MAD), where the last is held below three
  // times the others, or a bad enough line would disarm its own detector.
  Nanoseconds Band(const DetectorSettings& settings) const;
  // The part of the band that the configuration alone decides.
  Nanoseconds ConfiguredBand(const DetectorSettings& settings) const;
  // What the spread must exceed to be fluctuation.
  Nanoseconds SpreadLimit(const DetectorSettings& settings) const;

 private:
  struct Level {
    Nanoseconds p50;
    Nanoseconds mad;
    std::optional<Nanoseconds> spread;
  };
  Level Compute() const;

  std::vector<std::int64_t> p50s_;
  std::vector<std::int64_t> spreads_;
  bool ready_ = false;
  bool frozen_ = false;
  Nanoseconds p50_{};
  Nanoseconds mad_{};
  Nanoseconds spread_{};
};

}  // namespace fairlead::linkprobe
