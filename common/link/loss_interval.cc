#include "common/link/loss_interval.h"

#include <algorithm>
#include <cmath>

namespace fairlead {
namespace {

constexpr double kZ = 1.959963984540054;  // two-sided 95 % of the standard normal

}  // namespace

LossInterval MakeLossInterval(std::uint64_t lost, std::uint64_t sent) {
  LossInterval interval;
  interval.lost = std::min(lost, sent);
  interval.sent = sent;
  if (sent == 0) return interval;
  const double n = static_cast<double>(sent);
  const double p = static_cast<double>(interval.lost) / n;
  const double scale = 1 + kZ * kZ / n;
  const double centre = (p + kZ * kZ / (2 * n)) / scale;
  const double half = kZ / scale * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  interval.ratio = p;
  // At the ends the interval touches 0 and 1 exactly; rounding must not leave a trace there.
  interval.lower = interval.lost == 0 ? 0 : std::clamp(centre - half, 0.0, p);
  interval.upper = interval.lost == sent ? 1 : std::clamp(centre + half, p, 1.0);
  return interval;
}

}  // namespace fairlead
