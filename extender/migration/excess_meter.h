// What a gang has paid for staying: the skier's rent.
#pragma once

#include <optional>

#include "common/base/clock.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// What one round says of a gang's lines.
enum class MeterInput {
  kBad,      // bad by good evidence, and a better place is there: `rate` is lost a second
  kWell,     // all lines are well
  kUnclear,  // stale, thin, doubtful, or nowhere better: adds nothing, and is no recovery
};

// Paid is the integral of rate over time, where rate is the share of a step's time that a step at
// the best other place would not take: 1 - T_best / T_now. A rate counts from the round that told
// it to the next one, if that is as well informed and no later than `longest_gap`; so what was
// not watched is never paid. After `reset_after` without a break in which all lines were well, or
// at a move, all is forgotten.
class ExcessMeter {
 public:
  void Observe(MeterInput input, double rate, MonotonicTime now, Nanoseconds longest_gap,
               Nanoseconds reset_after);
  void Reset() { *this = {}; }

  Nanoseconds paid() const { return paid_; }
  double rate() const { return rate_; }  // 0 while nothing is being paid
  // When the present account began; absent: nothing was paid yet.
  std::optional<MonotonicTime> onset() const { return onset_; }

 private:
  std::optional<MonotonicTime> onset_;
  std::optional<MonotonicTime> counted_;  // up to here; absent: the last round was not kBad
  std::optional<MonotonicTime> well_since_;
  Nanoseconds paid_{};
  double rate_ = 0;
};

// The share of the time that is lost by staying, 0..1; 0 where the other place is no better, or a
// time is not positive and finite.
double ExcessRate(double step_seconds_now, double step_seconds_best);

}  // namespace fairlead::extender
