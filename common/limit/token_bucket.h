// A rate limit on time that is given.
#pragma once

#include "common/base/clock.h"

namespace fairlead {

// Single-threaded. Lets `burst` pass at once and `per_second` on average. Time may stand still or
// go backwards; that never gives tokens.
class TokenBucket {
 public:
  TokenBucket(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // True, and one token less, when one is there.
  bool Take(MonotonicTime now);
  // The latest time given; meaningless before.
  MonotonicTime last() const { return last_; }

 private:
  double per_second_;
  double burst_;
  double tokens_ = -1;  // full at first use
  MonotonicTime last_{};
};

}  // namespace fairlead
