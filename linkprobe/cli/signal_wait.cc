#include "linkprobe/cli/signal_wait.h"

#include <ctime>

namespace fairlead::linkprobe {

bool SignalWithin(const sigset_t& signals, Nanoseconds wait) {
  const auto seconds = std::chrono::floor<Seconds>(wait);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (wait - seconds).count()};
  return sigtimedwait(&signals, nullptr, &limit) > 0;
}

}  // namespace fairlead::linkprobe
