// Loss as a port's transport sees it: errors of reliable connections over the packets they sent.
#pragma once

#include <cstdint>
#include <optional>

#include "common/link/link_measurement.h"
#include "linkprobe/counters/tracker.h"

namespace fairlead::linkprobe {

// Of one direction. An event is a gap, in which one packet or a burst went missing, so that events
// over packets never overstates how many gaps there were.
struct LossEvents {
  std::uint64_t packets = 0;
  std::uint64_t proven = 0;    // gaps that the receiving end has named
  std::uint64_t possible = 0;  // besides: resent by a timer that may have been too short, or
                               // counted for each packet behind a gap, or out of order without loss
  // Of the packets, how many may have come behind a gap. Go-Back-N discards them, so what was lost
  // among them shows nowhere.
  std::uint64_t behind = 0;

  LossEvents& operator+=(const LossEvents& more);
  bool operator==(const LossEvents&) const = default;
};

struct PortLoss {
  std::optional<LossEvents> transmit;  // from this port
  std::optional<LossEvents> receive;   // to it
};

// What was counted since the reading before. A direction is absent unless its packets and at least
// one counter of errors are known, and nothing that belongs to it was reset. Behind each gap came
// at most as many packets as the device may have unanswered (rxe: 128, its RXE_MAX_UNACKED_PSNS),
// or as the port carried in one `rtt`, which is that of its longest line; without one, none are
// taken to have. Pure.
//
//             sent               proven                possible
//   mlx5      port_xmit_packets  packet_seq_err        local_ack_timeout_err, roce_adp_retrans
//   bnxt_re   tx_pkts            seq_err_naks_rcvd     to_retransmits
//   rxe       sent_pkts          rcvd_seq_err          completer_retry_err beyond these
//             received
//   mlx5      port_rcv_packets   implied_nak_seq_err   out_of_sequence
//   bnxt_re   rx_pkts                                  oos_drop_count
//   rxe       rcvd_pkts          out_of_seq_request
PortLoss LossOf(const TrackedPort& port, std::optional<Nanoseconds> rtt);

// The 95 % Wilson interval. Its lower end is that of the proven events over all packets, its upper
// end that of all events over the packets that did not come behind a gap. The ratio is that of the
// proven events over all packets, so it is rather too small.
// Absent without packets. Pure.
std::optional<LossInterval> BoundLoss(const LossEvents& events);

}  // namespace fairlead::linkprobe
