#include "extender/link_status/link_change.h"

#include <algorithm>
#include <cmath>

namespace fairlead::extender {
namespace {

constexpr double kDelayShare = 0.1;
constexpr double kLeastDelay = 1e-4;  // s
constexpr double kJitterShare = 0.5;
constexpr double kLeastJitter = 1e-3;  // s
constexpr double kLossShare = 0.5;
constexpr double kLeastLoss = 1e-5;
constexpr double kRateShare = 0.1;

bool Moved(double before, double now, double share, double least) {
  return std::abs(now - before) >= std::max(share * before, least);
}

bool Moved(const std::optional<double>& before, const std::optional<double>& now, double share,
           double least) {
  if (!before || !now) return before.has_value() != now.has_value();
  return Moved(*before, *now, share, least);
}

bool Moved(const std::optional<Nanoseconds>& before, const std::optional<Nanoseconds>& now,
           double share, double least) {
  const auto seconds = [](const std::optional<Nanoseconds>& value) {
    return value ? std::optional(std::chrono::duration<double>(*value).count()) : std::nullopt;
  };
  return Moved(seconds(before), seconds(now), share, least);
}

bool StateChanged(const LinkWay& before, const LinkWay& now) {
  const auto source = [](const LinkWay& way) {
    return way.bandwidth ? std::optional(way.bandwidth->source) : std::nullopt;
  };
  return before.state != now.state || before.reason != now.reason || before.rung != now.rung ||
         before.report_age.has_value() != now.report_age.has_value() ||
         source(before) != source(now);
}

bool ValueMoved(const LinkWay& before, const LinkWay& now) {
  const auto rate = [](const LinkWay& way) {
    return way.bandwidth ? way.bandwidth->bytes_per_second : 0;
  };
  return Moved(before.rtt_p50, now.rtt_p50, kDelayShare, kLeastDelay) ||
         Moved(before.rtt_p99, now.rtt_p99, kJitterShare, kLeastJitter) ||
         Moved(before.jitter, now.jitter, kJitterShare, kLeastJitter) ||
         Moved(before.loss, now.loss, kLossShare, kLeastLoss) ||
         Moved(rate(before), rate(now), kRateShare, 1);
}

}  // namespace

LinkChange ChangeBetween(const LinkObject& written, const LinkObject& now) {
  if (StateChanged(written.forward, now.forward) || StateChanged(written.reverse, now.reverse)) {
    return LinkChange::kState;
  }
  const bool moved =
      ValueMoved(written.forward, now.forward) || ValueMoved(written.reverse, now.reverse);
  return moved ? LinkChange::kValue : LinkChange::kNone;
}

}  // namespace fairlead::extender
