#include "deviceplugin/doctor/checks.h"

#include <algorithm>
#include <array>

#include "deviceplugin/doctor/check_functions.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::array kChecks{
    Check{"devices", "RDMA devices and their nodes", CheckDevices},
    Check{"port_state", "state of the ports", CheckPortState},
    Check{"gids", "GIDs and RoCE version", CheckGids},
    Check{"roce_mtu", "network MTU against RoCE path MTU", CheckRoceMtu},
    Check{"netns_mode", "RDMA network namespaces", CheckNetnsMode},
    Check{"memlock", "memory that containers may pin", CheckMemlock},
    Check{"traffic_class", "IP traffic class of RDMA packets", CheckTrafficClass},
    Check{"dscp_trust", "DSCP or VLAN tags", CheckDscpTrust},
    Check{"rdma_cm", "defaults of rdma_cm", CheckCmaDefaults},
    Check{"pfc", "priority flow control", CheckPfc},
    Check{"pfc_over_wan", "PFC and the lines", CheckPfcOverWan},
    Check{"pause", "global pause", CheckPause},
    Check{"ets", "shares of the port", CheckEts},
    Check{"ecn", "congestion control", CheckEcn},
    Check{"dcqcn_over_wan", "congestion control and the lines", CheckDcqcnOverWan},
    Check{"adaptive_retransmission", "retransmission by the NIC's own clock",
          CheckAdaptiveRetransmission},
    Check{"transport_errors", "errors since the driver was loaded", CheckTransportErrors},
    Check{"tcp_fallback", "HCAs that are held and not used", CheckTcpFallback},
    Check{"ack_timeout", "ACK timeouts against RTT", CheckAckTimeout},
    Check{"rtt_floor", "RTT against light in fibre", CheckRttFloor},
    Check{"line_capacity", "declared capacity", CheckLineCapacity},
    Check{"peer_ends", "what differs at peers' ends", CheckPeerEnds},
    Check{"lag", "bonded devices", CheckLag},
    Check{"soft_rdma", "software devices", CheckSoftRdma},
    Check{"firmware_versions", "firmware of equal cards", CheckFirmwareVersions},
    Check{"firmware_settings", "firmware settings not in force", CheckFirmwareSettings},
    Check{"pci_link", "PCIe speed and width", CheckPciLink},
    Check{"pci_tuning", "relaxed ordering and read requests", CheckPciTuning},
    Check{"iommu", "address translation", CheckIommu},
    Check{"acs", "PCIe access control", CheckAcs},
    Check{"gpu_direct", "HCAs' access to GPU memory", CheckGpuDirect},
    Check{"gpu_distance", "GPUs near HCAs", CheckGpuDistance},
    Check{"tcp_buffers", "TCP windows", CheckTcpBuffers},
    Check{"tcp_bootstrap", "TCP for bootstrap and checkpoints", CheckTcpBootstrap},
};

}  // namespace

std::span<const Check> AllChecks() { return kChecks; }

std::vector<CheckReport> Examine(const NodeFacts& facts) {
  std::vector<CheckReport> reports;
  for (const Check& check : kChecks) {
    Findings out(check.name);
    check.run(facts, out);
    reports.push_back(out.Take());
  }
  return reports;
}

CheckStatus Worst(std::span<const CheckReport> reports) {
  CheckStatus worst = CheckStatus::kNotApplicable;
  for (const CheckReport& report : reports) worst = std::max(worst, report.status);
  return worst;
}

}  // namespace fairlead::deviceplugin
