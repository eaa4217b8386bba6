#include "linkprobe/bandwidth/harm_watch.h"

#include <algorithm>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::linkprobe {
namespace {

// Of these the middle one counts: on a busy host any single one may be late.
constexpr std::size_t kJudgedRoundTrips = 3;
// Harm stays for as many spreads of the idle round trip; a host's stall is over by then.
constexpr int kPersistence = 4;

bool Recent(const std::optional<MonotonicTime>& at, MonotonicTime since) {
  return at && *at >= since;
}

}  // namespace

bool HarmWatch::HasRisen(Nanoseconds rtt) const {
  const Nanoseconds band =
      std::max(Nanoseconds(static_cast<std::int64_t>(settings_.rise_ratio *
                                                     static_cast<double>(idle_rtt_.count()))),
               settings_.rise_floor);
  return rtt > usual_rtt_ + band;
}

std::optional<std::string> HarmWatch::Judge(MonotonicTime now, const DeliveryMeter& delivered,
                                            const RoundTrips& trips) {
  auto evidence = Evidence(now, delivered, trips);
  if (!evidence) {
    since_.reset();
    return std::nullopt;
  }
  if (!since_) since_ = now;
  if (now - *since_ < kPersistence * idle_spread_) return std::nullopt;
  return evidence;
}

std::optional<std::string> HarmWatch::Evidence(MonotonicTime now, const DeliveryMeter& delivered,
                                               const RoundTrips& trips) {
  if (expected_ <= 0 || now < not_before_) return std::nullopt;
  const double rate = delivered.Rate(now - Interval(), now);
  if (rate >= settings_.fall * expected_) return std::nullopt;
  // What ceased altogether has not given way to others: a host at either end stalled, or packets
  // are being sent again, and what was held up comes in a burst.
  if (delivered.Bytes(now - Interval() / 3, now) == 0) {
    not_before_ = now + Interval();
    return std::nullopt;
  }
  const MonotonicTime since = now - Interval() - usual_rtt_;
  std::string sign;
  const auto rtt = trips.NowAtLeast(now, kJudgedRoundTrips, reply_gap_);
  if (rtt && HasRisen(*rtt)) {
    sign = "the round trip rose from " + HumanDuration(usual_rtt_) + " to " + HumanDuration(*rtt);
  } else if (Recent(last_ecn_, since)) {
    sign = "ECN marks came";
  } else if (Recent(last_loss_, since)) {
    sign = "packets were lost";
  } else {
    return std::nullopt;
  }
  return "delivery fell from " + HumanRate(expected_ * 8) + " to " + HumanRate(rate * 8) +
         " while " + sign;
}

}  // namespace fairlead::linkprobe
