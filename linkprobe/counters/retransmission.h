// Whether packets are sent again that had arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "linkprobe/counters/tracker.h"

namespace fairlead::linkprobe {

// Counted at one port.
struct Retransmissions {
  std::uint64_t adaptive = 0;    // resent by the adaptive timer (roce_adp_retrans)
  std::uint64_t refused = 0;     // gaps that peers named (packet_seq_err): those were lost
  std::uint64_t duplicates = 0;  // requests that had arrived before (duplicate_request)
  std::uint64_t gaps = 0;        // in what arrived (out_of_sequence, out_of_seq_request)

  Retransmissions& operator+=(const Retransmissions& more);
  bool operator==(const Retransmissions&) const = default;
};

// Since the reading before; nothing where a counter that the port has does not tell. Pure.
std::optional<Retransmissions> RetransmissionsOf(const TrackedPort& port);

// ConnectX' adaptive retransmission begins at this, doubles, and heeds no timeout that a
// connection asks for: NVIDIA's register ROCE_ACCL; the traces in linux-rdma/perftest issue 251.
inline constexpr Nanoseconds kAdaptiveBase = Milliseconds(2);

enum class RetransmissionVerdict {
  kNone,
  kAdaptiveTimer,  // this port's
  kPeers,          // peers send again what had arrived here
};

// "none", "adaptive_timer", "peers".
std::string_view RetransmissionVerdictName(RetransmissionVerdict verdict);

struct RetransmissionFinding {
  RetransmissionVerdict verdict = RetransmissionVerdict::kNone;
  std::string sentence{};  // the numbers; empty for kNone
  std::string remedy{};    // what to do about it; empty for kNone
};

// `rtt` is the longest of the lines that the port's packets cross; without one, and where it is
// within kAdaptiveBase, a timer can be right, so nothing is found. Nor is it where the timer did
// not fire more than twice as often as gaps were named: those it found were lost. `window` is what
// the counts were taken over. Pure.
RetransmissionFinding JudgeRetransmissions(const Retransmissions& counts, Nanoseconds window,
                                           std::optional<Nanoseconds> rtt, std::string_view device);

}  // namespace fairlead::linkprobe
