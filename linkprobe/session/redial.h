// When a session with a peer is opened, and when anew.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// How long a session may be without a reply: 5 s, and for slow probing five of its intervals.
Nanoseconds SilenceBeforeRedial(double probes_per_second);

struct DialFacts {
  Nanoseconds silence_allowed = Seconds(5);
  bool in_flight = false;                          // an attempt is under way
  MonotonicTime not_before{};                      // end of the back-off
  bool has_session = false;                        // the engine probes in a session with this peer
  MonotonicTime opened{};                          // when that session was opened
  std::optional<MonotonicTime> last_reply{};       // in that session
  std::uint64_t session_peer_epoch = 0;            // the peer's epoch when the session was opened
  std::optional<std::uint64_t> seen_peer_epoch{};  // the newest the peer itself has told
};

// Dial without a session, after `silence_allowed` without a reply, and at once when the peer has
// been seen with another epoch: it restarted and knows nothing of the session. Pure.
bool ShouldDial(const DialFacts& facts, MonotonicTime now);

}  // namespace fairlead::linkprobe
