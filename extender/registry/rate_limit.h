// How many events a source may bring.
#pragma once

#include <algorithm>
#include <chrono>

#include "common/base/clock.h"

namespace fairlead::extender {

// A token bucket, full at first. Single-threaded.
class RateLimit {
 public:
  RateLimit(double per_second, double burst)
      : per_second_(per_second), burst_(burst), left_(burst) {}

  // Takes one; false when there is none. `now` must not go backwards.
  bool Take(MonotonicTime now) {
    if (last_ != MonotonicTime{}) {
      const double elapsed = std::chrono::duration<double>(now - last_).count();
      left_ = std::min(burst_, left_ + elapsed * per_second_);
    }
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  const double per_second_;
  const double burst_;
  double left_;
  MonotonicTime last_{};
};

}  // namespace fairlead::extender
