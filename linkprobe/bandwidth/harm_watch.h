// Whether a bandwidth test takes from others what they need.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/bandwidth/delivery_meter.h"
#include "linkprobe/bandwidth/round_trips.h"

namespace fairlead::linkprobe {

struct HarmSettings {
  double fall = 0.78;  // delivery below this share of what was delivered before has fallen
  // The round trip has risen when its median exceeds the one before by the larger of these two.
  double rise_ratio = 0.2;  // of the idle one
  Nanoseconds rise_floor = Milliseconds(5);
};

// A window that does not shrink delivers what it delivered before, unless others have come: then
// the queue grows and this sender's share of the line falls. Judged over one round trip, so that
// harm is seen within two. Pure; not thread-safe.
class HarmWatch {
 public:
  // Answers to probes come every `reply_gap` while nothing is in their way.
  // Idle, round trips were `idle_rtt` in the median and within `idle_spread`; a host that stalls
  // now and then makes the latter wide, and the band for a rise with it.
  HarmWatch(HarmSettings settings, Nanoseconds idle_rtt, Nanoseconds idle_spread,
            Nanoseconds reply_gap)
      : settings_(settings),
        idle_rtt_(idle_rtt),
        usual_rtt_(idle_rtt),
        idle_spread_(idle_spread),
        reply_gap_(reply_gap) {
    settings_.rise_floor = std::max(settings_.rise_floor, 2 * idle_spread);
  }

  // What the present window, or a smaller one, has been seen to deliver, in bytes per second, and
  // the round trip then. Until the first call nothing is judged.
  void Expect(double bytes_per_second, Nanoseconds rtt) {
    expected_ = bytes_per_second;
    usual_rtt_ = std::max(rtt, usual_rtt_);
  }
  // More ECN marks or lost packets than before.
  void OnEcn(MonotonicTime at) { last_ecn_ = at; }
  void OnLoss(MonotonicTime at) { last_loss_ = at; }
  // This host did not run for a while, which also looks like a fall; nothing is judged until the
  // interval is over.
  void OnHostStall(MonotonicTime now) { not_before_ = now + Interval(); }

  // The evidence in words where delivery has fallen while RTT, ECN or loss rose.
  std::optional<std::string> Judge(MonotonicTime now, const DeliveryMeter& delivered,
                                   const RoundTrips& trips);

  // Whether an RTT counts as risen over the usual one.
  bool HasRisen(Nanoseconds rtt) const;

 private:
  std::optional<std::string> Evidence(MonotonicTime now, const DeliveryMeter& delivered,
                                      const RoundTrips& trips);
  Nanoseconds Interval() const {
    return std::min(usual_rtt_, idle_rtt_ + Nanoseconds(Milliseconds(20))) + Milliseconds(10);
  }

  HarmSettings settings_;
  Nanoseconds idle_rtt_;
  Nanoseconds usual_rtt_;
  Nanoseconds idle_spread_;
  Nanoseconds reply_gap_;
  double expected_ = 0;
  std::optional<MonotonicTime> last_ecn_;
  std::optional<MonotonicTime> last_loss_;
  MonotonicTime not_before_{};
  std::optional<MonotonicTime> since_;  // what looks like harm has stood
};

}  // namespace fairlead::linkprobe
