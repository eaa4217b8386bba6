// How long to wait before trying again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "common/base/clock.h"

namespace fairlead {

// Doubles from `first` to `largest`; each wait is drawn from the upper half of its span, so that
// many clients that lost one server do not come back together. Not thread-safe; the same seed gives
// the same waits.
class Backoff {
 public:
  Backoff(Nanoseconds first, Nanoseconds largest, std::uint64_t seed)
      : first_(first), largest_(largest), span_(first), random_(seed) {}

  Nanoseconds Next() {
    const Nanoseconds span = span_;
    span_ = std::min(span_ * 2, largest_);
    std::uniform_int_distribution<std::int64_t> draw(span.count() / 2, span.count());
    return Nanoseconds(draw(random_));
  }
  void Reset() { span_ = first_; }

 private:
  Nanoseconds first_;
  Nanoseconds largest_;
  Nanoseconds span_;
  std::mt19937_64 random_;
};

}  // namespace fairlead
