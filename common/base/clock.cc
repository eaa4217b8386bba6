#include "common/base/clock.h"

namespace fairlead {

MonotonicTime SystemClock::Now() const {
  return std::chrono::time_point_cast<Nanoseconds>(std::chrono::steady_clock::now());
}

WallTime SystemClock::WallNow() const {
  return std::chrono::time_point_cast<Nanoseconds>(std::chrono::system_clock::now());
}

}  // namespace fairlead
