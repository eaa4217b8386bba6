#include "linkprobe/session/redial.h"

#include <algorithm>
#include <cstdint>

namespace fairlead::linkprobe {

Nanoseconds SilenceBeforeRedial(double probes_per_second) {
  const double seconds = 5.0 * std::max(1.0, 1.0 / std::max(probes_per_second, 0.001));
  return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

bool ShouldDial(const DialFacts& facts, MonotonicTime now) {
  if (facts.in_flight || now < facts.not_before) return false;
  if (!facts.has_session) return true;
  if (facts.seen_peer_epoch && *facts.seen_peer_epoch != facts.session_peer_epoch) return true;
  return now - facts.last_reply.value_or(facts.opened) > facts.silence_allowed;
}

}  // namespace fairlead::linkprobe
