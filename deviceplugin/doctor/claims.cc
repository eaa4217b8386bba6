#include <array>

#include "deviceplugin/doctor/knob_tables.h"

namespace fairlead::deviceplugin {
namespace {

using enum KnobKind;

constexpr std::array kKnobs{
    Knob{"RDMA default MTU 1500", "rdma_mtu_1500 rdma_mtu", kClaim,
         "RoCE has path MTUs of 256 to 4096 bytes. 1500 is the network's: it leaves room for 1024.",
         "A network MTU of 4192 or more gives 4096; `doctor` checks `roce_mtu`."},
    Knob{"RTT below the fibre floor", "18ms fibre_floor rtt_18ms hk-sg_18ms", kClaim,
         "Hong Kong - Singapore in 18 ms: light in fibre takes 25.3 ms there and back along the "
         "great circle. RDMA takes some tens of microseconds off a host, nothing off the way. "
         "ib_send_lat prints half of the round trip, so 36 ms show as 18.",
         "`fairlead-linkprobe ping` shows round trips; give `sites` coordinates, and `doctor` "
         "checks `rtt_floor`."},
    Knob{"RDMA window", "rdma_credit_window credit_window", kClaim,
         "RDMA has no window to set, as TCP has. A sender has under way what is posted; credits "
         "exist for SEND only, not for the WRITEs of NCCL.",
         "Queue depth x message size x queue pairs, at least rate x RTT."},
    Knob{"lossless over WAN", "pfc_over_wan lossless_wan", kClaim,
         "A pause frame reaches the next switch. Lossless over a line needs rate x RTT of buffer "
         "for each priority: 450 MB at 100 Gbps and 36 ms.",
         "Shape before the line, mark with ECN inside the site, and watch loss: one lost packet in "
         "100,000 leaves 59 % of 100 Gbps at 23 ms (Go-Back-N)."},
    Knob{"more QPs widen the window", "4-8_qps 8_qps more_qps", kClaim,
         "With hardware HCAs what is under way is what is posted, over one queue pair or eight. "
         "Soft RoCE has 128 packets for each, so there more do help.",
         "More queue pairs for a bond's ports and equal paths; buffers for the window."},
    Knob{"TC 106", "106 NCCL_IB_TC=106", kClaim,
         "DSCP 26, ECN capable: right where NIC and switches map DSCP 26 to the RDMA queue. "
         "Elsewhere it is a number in a header.",
         "The pool's `trafficClass`, and `doctor` for `dscp_trust` and `pfc`."},
    Knob{"timeout 22", "NCCL_IB_TIMEOUT=22", kClaim,
         "17 s, 7 times: a dead peer is noticed after 2 min. RTT does not need it.",
         "`deviceplugin.outage` as long as the reroute that jobs should survive: 30 s gives 20."},
    Knob{"three hops", "hops", kClaim,
         "RDMA does not change the route; routers forward RoCE v2 as they do all of IP.",
         "`fairlead-linkprobe` shows hops by the TTL of its probes, and path stretch."},
};

}  // namespace

std::span<const Knob> Claims() { return kKnobs; }

}  // namespace fairlead::deviceplugin
