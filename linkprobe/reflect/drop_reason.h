// Why a packet that reached the responder was not answered.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fairlead::linkprobe {

enum class DropReason : std::uint8_t {
  kMalformed,       // Decode refused it
  kNotAProbe,       // a reply, or another kind, where a probe was expected
  kUnknownSession,  // no such session, or it expired
  kUnknownPath,     // path index outside the session's
  kWrongEpoch,      // the prober's epoch is not the session's
  kWrongKey,        // key id is not the session's
  kBadMac,          // the mac does not fit the packet
  kDuplicate,       // this sequence was answered before (a duplicate, or a replay)
  kTooOld,          // behind the replay window; may be a replay
  kSequenceJump,    // further ahead than any outage explains
  kRateLimited,     // received and counted, but not answered
};

inline constexpr std::size_t kDropReasonCount = 11;
using DropCounts = std::array<std::uint64_t, kDropReasonCount>;

// Stable word for metrics and logs, for example "rate_limited".
std::string_view DropReasonName(DropReason reason);

}  // namespace fairlead::linkprobe
