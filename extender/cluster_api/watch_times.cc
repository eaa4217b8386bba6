#include "extender/cluster_api/watch_times.h"

#include <algorithm>
#include <chrono>

namespace fairlead::extender {
namespace {

// Beyond the time that the server was asked to keep a watch: its end may be late.
constexpr Seconds kGrace{15};

}  // namespace

kube::ReflectorLimits WatchTimesFor(Nanoseconds stale) {
  kube::ReflectorLimits limits;
  const auto share = [stale](int of) {
    return std::max(Seconds(1), std::chrono::floor<Seconds>(stale / of));
  };
  limits.times.least_watch_timeout = std::min(share(3), limits.times.least_watch_timeout);
  limits.times.most_watch_timeout = std::min(share(2), limits.times.most_watch_timeout);
  limits.watch_silence = limits.times.most_watch_timeout + kGrace;
  return limits;
}

}  // namespace fairlead::extender
