#include "common/limit/token_bucket.h"

#include <algorithm>

namespace fairlead {

bool TokenBucket::Take(MonotonicTime now) {
  if (tokens_ < 0) {
    tokens_ = burst_;
    last_ = now;
  }
  if (now > last_) {
    tokens_ = std::min(burst_,
                       tokens_ + per_second_ * std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

}  // namespace fairlead
