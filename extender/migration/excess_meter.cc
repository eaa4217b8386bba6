#include "extender/migration/excess_meter.h"

#include <cmath>

namespace fairlead::extender {

void ExcessMeter::Observe(MeterInput input, double rate, MonotonicTime now, Nanoseconds longest_gap,
                          Nanoseconds reset_after) {
  if (counted_ && now < *counted_) return;  // time went backwards: nothing is paid for it
  if (input != MeterInput::kBad) {
    counted_.reset();
    rate_ = 0;
    if (input == MeterInput::kUnclear) {
      well_since_.reset();
      return;
    }
    if (!well_since_) well_since_ = now;
    if (now - *well_since_ >= reset_after) Reset();
    return;
  }
  well_since_.reset();
  if (counted_ && now - *counted_ <= longest_gap) {
    paid_ += Nanoseconds(
        std::llround(rate_ * static_cast<double>(Nanoseconds(now - *counted_).count())));
  }
  if (!onset_) onset_ = now;
  counted_ = now;
  rate_ = rate;
}

double ExcessRate(double step_seconds_now, double step_seconds_best) {
  if (!std::isfinite(step_seconds_now) || !std::isfinite(step_seconds_best)) return 0;
  if (step_seconds_best <= 0 || step_seconds_now <= step_seconds_best) return 0;
  return 1 - step_seconds_best / step_seconds_now;
}

}  // namespace fairlead::extender
