#include <array>

#include "deviceplugin/doctor/knob_tables.h"

namespace fairlead::deviceplugin {
namespace {

using enum KnobKind;

constexpr std::array kKnobs{
    Knob{"NCCL_MIN_NRINGS", "NCCL_MAX_NRINGS", kPartly,
         "An old name of NCCL_MIN_NCHANNELS; ignored where that is set.",
         "NCCL_MIN_CTAS and NCCL_MAX_CTAS (NCCL 2.17 and later). `doctor nccl` says whether a line "
         "needs more channels."},
    Knob{"NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS", kPartly,
         "Still read; NCCL_MIN_CTAS and NCCL_MAX_CTAS have taken its place (2.17).",
         "NCCL_MIN_CTAS, NCCL_MAX_CTAS: at most 64, each with buffers of its own."},
    Knob{
        "NCCL_ASYNC_ERROR_HANDLING", "TORCH_NCCL_ASYNC_ERROR_HANDLING", kPartly,
        "Of PyTorch, not of NCCL, and called TORCH_NCCL_ASYNC_ERROR_HANDLING by now; 3 by default: "
        "the process ends without aborting the communicator.",
        "Leave it. It tunes nothing of the network."},
    Knob{"NCCL_IB_TIMEOUT", "", kReal,
         "ACK timeout 4.096 us x 2^t; 20 by default since NCCL 2.23 (4.3 s). 22 is 17 s, times 7 "
         "retries 2 min. It must exceed RTT and a busy peer's delay, which 18 (1.07 s) does "
         "everywhere; beyond that it says how long an outage is endured.",
         "`deviceplugin.outage` in the configuration; Fairlead sets the variable."},
    Knob{"NCCL_IB_RETRY_CNT", "", kReal, "Retries before a connection is given up; 7 is the most.",
         "Leave 7."},
    Knob{
        "NCCL_IB_TC", "NCCL_IB_FIFO_TC", kReal,
        "The IP traffic class: DSCP x 4 + ECN bits. 106 is DSCP 26, ECN capable. It does something "
        "only where NIC and switches map that DSCP. FIFO_TC is that of the receiver's messages.",
        "`priority: {trafficClass: N}` or `{dscp: N}` in the pool; `doctor` checks that the NIC "
        "maps it."},
    Knob{"NCCL_IB_SL", "", kPartly,
         "InfiniBand's service level. On RoCE most drivers do not look at it.",
         "On RoCE the pool's `trafficClass`."},
    Knob{"NCCL_IB_GID_INDEX", "", kPartly,
         "One index for all HCAs of a process; not read on InfiniBand. Since 2.21 NCCL chooses "
         "itself by family, range and version.",
         "Fairlead sets the index where all HCAs agree, else the policy. Never 3 by habit."},
    Knob{"NCCL_IB_QPS_PER_CONNECTION", "", kPartly,
         "Queue pairs for each connection. Several spread load over a bond's ports or equal paths; "
         "they do not widen the window, which is what NCCL posts.",
         "2 on a bonded device; else 1, unless the line is several equal paths."},
    Knob{"NCCL_IB_SPLIT_DATA_ON_QPS", "", kReal,
         "1 divides each message among the queue pairs, 0 (since 2.20) sends whole messages in "
         "turn.",
         "Leave 0: smaller pieces cost more on a long line, and both ports of a bond are used "
         "either way."},
    Knob{"NCCL_BUFFSIZE", "", kReal,
         "Bytes of a channel's buffer, 4 MiB by default. A channel has no more under way, so "
         "BUFFSIZE x channels bounds what a line carries: B / RTT.",
         "`doctor nccl --to SITE` computes it; twice the size is twice the GPU memory."},
    Knob{"NCCL_P2P_NET_CHUNKSIZE", "", kReal,
         "The pieces of point-to-point sends between nodes, 128 KiB by default.",
         "Larger pieces help pipeline parallelism over long lines; measure with the job."},
    Knob{"NCCL_ALGO", "", kReal,
         "Ring, Tree, ... for all or for single functions. NCCL's model does not know the RTT of a "
         "line. Forced for all functions, Tree fails those that have no tree.",
         "`allreduce:tree` where all-reduces are smaller than what the line has under way; "
         "`doctor nccl` says where that is."},
    Knob{"NCCL_PROTO", "", kPartly,
         "Simple, LL, LL128. LL128 forced where it is not supported may corrupt data.",
         "Leave it: NCCL takes Simple for large messages, and small ones fit the windows of LL."},
    Knob{"NCCL_NET_GDR_LEVEL", "NCCL_IB_GDR_LEVEL", kReal,
         "The farthest way between GPU and HCA over which GPUDirect RDMA is used; PXB by default.",
         "`doctor nccl` says which distance this node has."},
    Knob{"NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", kReal,
         "The interface for bootstrap and TCP. It need not be the HCA's, and must reach all peers; "
         "eth0 is a prefix, =eth0 the one.",
         "In a pod with one network leave it."},
    Knob{"NCCL_IB_DISABLE", "", kReal, "1 makes NCCL use TCP.", "0, or leave it."},
    Knob{"NCCL_CROSS_NIC", "", kReal,
         "Whether a ring may use different NICs on different nodes: 0 no, 1 yes, 2 (default) where "
         "it has to.",
         "0 where each rail is a network of its own; else leave it."},
    Knob{"NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", kReal,
         "INFO shows which HCA, GID and algorithm NCCL takes.",
         "`NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,ENV`"},
    Knob{"NCCL_CONF_FILE", "nccl.conf", kReal,
         "A file of variables (2.23 and later); what the environment sets wins.",
         "Leave it to who makes the pod."},
};

}  // namespace

std::span<const Knob> NcclKnobs() { return kKnobs; }

}  // namespace fairlead::deviceplugin
