#include "linkprobe/detect/hold.h"

#include <algorithm>

namespace fairlead::linkprobe {

void Hold::OnBad(const DetectorSettings& settings, MonotonicTime now) {
  // A finding that flickers within its own windows is one trouble.
  const Nanoseconds same = settings.windows_considered * settings.window;
  const Nanoseconds forgotten = 2 * settings.flap_penalty_max;
  if (!last_bad_ || now - *last_bad_ > forgotten) {
    onset_ = now;
    relapses_ = 0;
  } else if (now - *last_bad_ > same) {
    onset_ = now;
    ++relapses_;
  }
  last_bad_ = now;
  good_since_.reset();
}

Nanoseconds Hold::Dwell(const DetectorSettings& settings) const {
  Nanoseconds dwell = settings.dwell;
  for (std::uint32_t i = 0; i < relapses_ && dwell < settings.flap_penalty_max; ++i) {
    dwell = std::min(2 * std::max(dwell, Nanoseconds(1)), settings.flap_penalty_max);
  }
  return dwell;
}

void Hold::OnCalm(bool good, MonotonicTime now) {
  if (!good) {
    good_since_.reset();
  } else if (!good_since_) {
    good_since_ = now;
  }
}

void Hold::PassOver(Nanoseconds span) {
  if (last_bad_) *last_bad_ += span;
  if (good_since_) *good_since_ += span;
}

bool Hold::Recovered(const DetectorSettings& settings, MonotonicTime now) const {
  return good_since_ && now - *good_since_ >= settings.recovery;
}

bool Hold::Released(const DetectorSettings& settings, MonotonicTime now) const {
  return Recovered(settings, now) && now >= Until(settings);
}

}  // namespace fairlead::linkprobe
