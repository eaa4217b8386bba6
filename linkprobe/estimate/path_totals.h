// Counters of one path since the probe started; none of them ever falls.
#pragma once

#include <cstdint>

namespace fairlead::linkprobe {

struct PathTotals {
  std::uint64_t sent = 0;
  std::uint64_t send_failed = 0;   // never left this host; neither sent nor lost
  std::uint64_t answered = 0;      // in time
  std::uint64_t lost_forward = 0;  // never reached the responder in time
  std::uint64_t lost_reverse = 0;  // reached it, the answer did not come back in time
  std::uint64_t lost_unknown = 0;  // lost, and the session ended before the direction was known
  std::uint64_t late = 0;          // came after it had been counted as lost
  std::uint64_t discarded = 0;     // under way when the peer restarted; not the line's loss
  std::uint64_t forward_duplicate = 0;
  std::uint64_t reverse_duplicate = 0;
  std::uint64_t forward_reordered = 0;
  std::uint64_t reverse_reordered = 0;
  std::uint64_t forward_ecn_marked = 0;
  std::uint64_t reverse_ecn_marked = 0;
  std::uint64_t withheld = 0;         // received by the responder, not answered (its rate limit)
  std::uint64_t below_floor = 0;      // samples refused as faster than light in fibre
  std::uint64_t impossible = 0;       // samples refused because their stamps contradict each other
  std::uint64_t refused_replies = 0;  // other session, path or never sent sequence
  std::uint64_t peer_restarts = 0;
  std::uint64_t clock_steps = 0;  // of the peer's clock against ours
};

}  // namespace fairlead::linkprobe
