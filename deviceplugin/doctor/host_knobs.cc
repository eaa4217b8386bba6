#include <array>

#include "deviceplugin/doctor/knob_tables.h"

namespace fairlead::deviceplugin {
namespace {

using enum KnobKind;

constexpr std::array kKnobs{
    Knob{"RDMA_L3_OFFLOAD", "", kNotReal, "No firmware setting has this name.",
         "RoCE v2, which is routed, is chosen by the type of the GID that a connection uses: NCCL "
         "by "
         "NCCL_IB_GID_INDEX or its policy (Fairlead sets them), rdma_cm by `cma_roce_mode -m 2`. "
         "ROCE_CONTROL in mlxconfig switches RoCE itself on and off."},
    Knob{"ECN_ENABLE", "", kNotReal, "No firmware setting has this name.",
         "Congestion control for each priority: ROCE_CC_PRIO_MASK_P1 in mlxconfig, or "
         "`/sys/class/net/IF/ecn/{roce_np,roce_rp}/enable/N` with MLNX_OFED; parameters in debugfs "
         "`mlx5/BDF/cc_params`. The packets must say that they are ECN capable (last bits of the "
         "traffic class, 10), and the switches must mark."},
    Knob{
        "PFC_ENABLE", "", kNotReal,
        "No firmware setting has this name; there is only NUM_OF_PFC, how many priorities can have "
        "it.",
        "`mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0` or `dcb pfc set dev IF prio-pfc all:off 3:on`, or "
        "the switch by DCBX. It does not span a line between sites."},
    Knob{
        "max_send_wr", "sysfs_max_send_wr", kNotReal,
        "There is no such file: /sys/class/infiniband/DEV/ports/P holds states, GIDs and counters. "
        "It is a field of ibv_qp_init_attr, fixed when a queue pair is made.",
        "What is under way is queue depth x message size x queue pairs: `ib_write_bw -t 512 -s "
        "1048576 -q 4`, for NCCL NCCL_BUFFSIZE x channels (`doctor nccl` computes it). "
        "`ibv_devinfo -v` shows the limit, max_qp_wr."},
    Knob{"max_qp_rdma_read_res", "rdma_cm_max_qp_rdma_read_res", kNotReal,
         "The module rdma_cm has no such parameter.",
         "Reads under way are max_rd_atomic and max_dest_rd_atomic of the queue pair (for rdma_cm "
         "responder_resources and initiator_depth), up to max_qp_rd_atom of the device, 16 on "
         "ConnectX. On long lines use writes: 16 reads of 1 MiB are 5.8 Gbps at 23 ms. NCCL "
         "writes."},
    Knob{"ROCE_CC_PRIO_MASK_P1", "ROCE_CC_PRIO_MASK_P2", kReal,
         "The priorities with congestion control (DCQCN), a bit each.",
         "`mlxconfig -d BDF set ROCE_CC_PRIO_MASK_P1=255`, then a firmware reset."},
    Knob{"roce_adp_retrans", "roce_adp_retrans_en adaptive_retransmission ROCE_ACCL", kReal,
         "Adaptive retransmission of ConnectX: the NIC repeats after 2, 4, 8, 16 ms whatever "
         "timeout "
         "was asked for. As a counter, how often it did.",
         "Above 2 ms of RTT switch it off: `mlxreg -d BDF --reg_name ROCE_ACCL --set "
         "\"roce_adp_retrans_field_select=1,roce_adp_retrans_en=0\" -y`, at each boot."},
    Knob{"cma_roce_tos", "default_roce_tos", kPartly,
         "The traffic class of what connects through rdma_cm. NCCL does not.",
         "For NCCL the pool's `trafficClass` (NCCL_IB_TC). For the rest `cma_roce_tos -d DEV -t N` "
         "or `doctor fix --check rdma_cm`."},
    Knob{"cma_roce_mode", "default_roce_mode", kPartly,
         "RoCE v1 or v2 for what connects through rdma_cm; v2 is the kernel's default where the "
         "device has it. NCCL does not use rdma_cm.",
         "`cma_roce_mode -d DEV -p 1 -m 2`"},
    Knob{"traffic_class", "tc_traffic_class", kPartly,
         "/sys/class/infiniband/DEV/tc/P/traffic_class forces one class on all connections; only "
         "with MLNX_OFED.",
         "For NCCL the pool's `trafficClass`; it works with every driver."},
    Knob{"mlnx_qos", "", kReal,
         "A script of MLNX_OFED and mlnx-tools for trust, PFC, ETS and rate limits of a ConnectX.",
         "Without it `dcb` of iproute2 does the same on every driver with DCB."},
    Knob{"dcbtool", "", kPartly,
         "Of the old package lldpad, for DCB in the form before IEEE 802.1Qaz (CEE). It talks to "
         "its own daemon, and most systems have neither.",
         "`dcb pfc show dev IF`, `dcb ets`, `dcb app` of iproute2; `lldptool` where lldpad runs."},
    Knob{"ibstat -p", "ibstat_p", kPartly, "It prints the ports' GUIDs, not their state.",
         "`ibstat DEV PORT`, `rdma link show`, `fairlead-deviceplugin list`."},
    Knob{"show_gids", "", kPartly, "A script that comes with MLNX_OFED only.",
         "`fairlead-deviceplugin list` ranks all GIDs; `ibv_devinfo -v` shows them."},
    Knob{"tcp_rmem", "net.ipv4.tcp_rmem tcp_wmem net.ipv4.tcp_wmem rmem_max net.core.rmem_max",
         kPartly,
         "TCP's windows. RDMA does not use them; NCCL's bootstrap, checkpoints and NCCL without "
         "RDMA do. net.core.rmem_max bounds only what a program sets itself.",
         "`doctor` computes what this site's lines need."},
    Knob{"iommu=pt", "iommu_pt intel_iommu=on", kReal,
         "Devices of the host use memory without translation.",
         "On the kernel command line; `doctor` tells the state by iommu_group/type."},
    Knob{"memlock", "LimitMEMLOCK ulimit_l IPC_LOCK", kPartly,
         "How much memory a process may pin. Containers inherit it from the runtime; a pod has no "
         "field for it, and CAP_IPC_LOCK helps root only.",
         "`LimitMEMLOCK=infinity` for containerd or CRI-O, or an NRI plugin for rlimits."},
    Knob{"nvidia_peermem", "nv_peer_mem", kReal,
         "Lets an HCA reach GPU memory (GPUDirect RDMA). nv_peer_mem was its name before driver "
         "470.",
         "`modprobe nvidia_peermem`; the driver's open modules do it by dma-buf, without it, from "
         "kernel 5.12 on."},
    Knob{"PCI_WR_ORDERING", "", kReal,
         "Firmware setting: per_mkey(0), or force_relax(1) for all writes to memory. It is hidden "
         "until ADVANCED_PCI_SETTINGS is 1.",
         "Leave per_mkey: NCCL asks for relaxed ordering itself where it helps."},
    Knob{"ib_write_bw -u", "perftest_-u qp-timeout", kReal,
         "The ACK timeout of perftest's queue pairs, 4.096 us x 2^u; 14 by default, 67 ms. On a "
         "line "
         "of more than 33 ms it repeats what is only late.",
         "`ib_write_bw -u 17` or more, the same on both ends. -x is the GID index, -q the queue "
         "pairs, -t the depth."},
    Knob{"setpci_mrrs", "MaxReadReq max_read_request_size", kReal,
         "How much a card reads from memory at a time.",
         "`setpci -s BDF CAP_EXP+8.w=5000:7000` for 4096 bytes; lost at the next reset."},
};

}  // namespace

std::span<const Knob> HostKnobs() { return kKnobs; }

}  // namespace fairlead::deviceplugin
