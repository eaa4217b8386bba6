// Waiting for what another thread publishes.
#pragma once

#include <poll.h>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Looks every few milliseconds; false after 30 s, which only a fault reaches.
template <class Condition>
bool WaitFor(Condition condition) {
  const SystemClock clock;
  const MonotonicTime deadline = clock.Now() + Seconds(30);
  while (!condition()) {
    if (clock.Now() > deadline) return false;
    ::poll(nullptr, 0, 5);
  }
  return true;
}

}  // namespace fairlead::linkprobe
