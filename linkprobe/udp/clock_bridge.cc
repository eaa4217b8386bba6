#include "linkprobe/udp/clock_bridge.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLargestSlew = Milliseconds(1);
// A reading this tight needs no second try; a slower one was interrupted.
constexpr Nanoseconds kTightReading{500};

}  // namespace

bool ClockBridge::Resample(ClockPair now) {
  const Nanoseconds elapsed = now.steady - pair_.steady;
  const Nanoseconds moved = (now.wall - pair_.wall) - elapsed;
  // Slewing over a long silence is not a step.
  const Nanoseconds allowed = kLargestSlew + elapsed / 2000;
  pair_ = now;
  return moved > allowed || moved < -allowed;
}

MonotonicTime ClockBridge::ToSteady(WallTime stamp) const {
  return pair_.steady + (stamp - pair_.wall);
}

ClockPair ReadClockPair() {
  const SystemClock clock;
  ClockPair best;
  Nanoseconds best_width = Nanoseconds::max();
  for (int attempt = 0; attempt < 3 && best_width > kTightReading; ++attempt) {
    const MonotonicTime before = clock.Now();
    const WallTime wall = clock.WallNow();
    const Nanoseconds width = clock.Now() - before;
    if (width >= best_width) continue;
    best_width = width;
    best = ClockPair{before + width / 2, wall};
  }
  return best;
}

}  // namespace fairlead::linkprobe
