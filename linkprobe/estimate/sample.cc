#include "linkprobe/estimate/sample.h"

#include <algorithm>

namespace fairlead::linkprobe {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 61;
constexpr std::int64_t kLongestAway = 3'600'000'000'000;

// The peer writes some of the stamps, so no difference may be trusted not to overflow.
bool Subtract(std::int64_t a, std::int64_t b, std::int64_t& out) {
  return !__builtin_sub_overflow(a, b, &out) && out <= kFarthest && out >= -kFarthest;
}

}  // namespace

std::optional<Delays> ComputeDelays(const SixStamps& s) {
  Delays delays;
  std::int64_t away = 0;
  std::int64_t local = 0;
  if (!Subtract(s.t5, s.t2, away) || !Subtract(s.t4, s.t3, delays.responder_delay) ||
      !Subtract(s.t3, s.t2, delays.forward) || !Subtract(s.t5, s.t4, delays.reverse) ||
      !Subtract(s.t6, s.t1, local)) {
    return std::nullopt;
  }
  delays.rtt = away - delays.responder_delay;
  delays.prober_delay = std::max<std::int64_t>(local - away, 0);
  if (delays.responder_delay < 0 || delays.rtt <= 0 || away > kLongestAway) return std::nullopt;
  return delays;
}

}  // namespace fairlead::linkprobe
