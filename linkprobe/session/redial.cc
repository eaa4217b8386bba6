#include "linkprobe/session/redial.h"

namespace fairlead::linkprobe {

bool ShouldDial(const DialFacts& facts, MonotonicTime now) {
  if (facts.in_flight || now < facts.not_before) return false;
  if (!facts.has_session) return true;
  if (facts.seen_peer_epoch && *facts.seen_peer_epoch != facts.session_peer_epoch) return true;
  return now - facts.last_reply.value_or(facts.opened) > kSilenceBeforeRedial;
}

}  // namespace fairlead::linkprobe
