// How long a path that was bad must wait before it counts as well again.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"

namespace fairlead::linkprobe {

// The dwell runs from each onset of trouble and doubles, up to flap_penalty_max, when the trouble
// comes back before the last one has been forgotten, so that a flapping line stays down.
class Hold {
 public:
  // Trouble at this step.
  void OnBad(const DetectorSettings& settings, MonotonicTime now);
  // No trouble at this step; `good`: everything is inside half its limits, as recovery asks for.
  void OnCalm(bool good, MonotonicTime now);

  // Good for settings.recovery.
  bool Recovered(const DetectorSettings& settings, MonotonicTime now) const;
  // Recovered, and the dwell is over.
  bool Released(const DetectorSettings& settings, MonotonicTime now) const;

  // The dwell with its doublings, and when it ends.
  Nanoseconds Dwell(const DetectorSettings& settings) const;
  MonotonicTime Until(const DetectorSettings& settings) const { return onset_ + Dwell(settings); }
  std::optional<MonotonicTime> good_since() const { return good_since_; }
  // Nothing was judged for so long: it counts neither to a recovery nor between two troubles.
  void PassOver(Nanoseconds span);
  // The trouble turned out to be none of the line's.
  void Forget() { *this = Hold(); }

 private:
  std::optional<MonotonicTime> last_bad_;
  std::optional<MonotonicTime> good_since_;
  MonotonicTime onset_{};
  std::uint32_t relapses_ = 0;
};

}  // namespace fairlead::linkprobe
