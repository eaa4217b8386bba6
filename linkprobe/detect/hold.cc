#include "linkprobe/detect/hold.h"

#include <algorithm>

namespace fairlead::linkprobe {

void Hold::OnBad(const DetectorSettings& settings, MonotonicTime now) {
  // A finding that flickers within its own windows is one trouble.
  const Nanoseconds same = settings.windows_considered * settings.window;
  const Nanoseconds forgotten = 2 * settings.flap_penalty_max;
  if (!last_bad_ || now - *last_bad_ > forgotten) {
    onset_ = now;
    dwell_ = settings.dwell;
  } else if (now - *last_bad_ > same) {
    onset_ = now;
    dwell_ = std::max(settings.dwell, std::min(2 * dwell_, settings.flap_penalty_max));
  }
  last_bad_ = now;
  good_since_.reset();
}

void Hold::OnCalm(bool good, MonotonicTime now) {
  if (!good) {
    good_since_.reset();
  } else if (!good_since_) {
    good_since_ = now;
  }
}

bool Hold::Recovered(const DetectorSettings& settings, MonotonicTime now) const {
  return good_since_ && now - *good_since_ >= settings.recovery;
}

bool Hold::Released(const DetectorSettings& settings, MonotonicTime now) const {
  return Recovered(settings, now) && now >= until();
}

}  // namespace fairlead::linkprobe
