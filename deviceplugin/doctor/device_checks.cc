#include <algorithm>
#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {
namespace {

// RXE_MAX_UNACKED_PSNS in the kernel: what one queue pair of soft RoCE has under way at most.
constexpr std::uint32_t kSoftWindowPackets = 128;

bool HasPools(const NodeFacts& facts, PodNetwork network) {
  return std::any_of(facts.pools.begin(), facts.pools.end(),
                     [&](const PoolConfig& pool) { return pool.network == network; });
}

}  // namespace

void CheckDevices(const NodeFacts& facts, Findings& out) {
  if (facts.inventory.hcas.empty()) {
    out.Add({.severity = CheckStatus::kWarning,
             .subject = "",
             .what = "This node has no RDMA device.",
             .evidence = "/sys/class/infiniband holds none.",
             .why = "Jobs here use TCP.",
             .remedy =
                 "`lspci | grep -i -e mellanox -e infiniband`, `modprobe mlx5_ib` (or the "
                 "card's driver), `dmesg`; in a container: is the host's /sys below --root?"});
  }
  for (const std::string& problem : facts.inventory.problems) {
    out.Add({.severity = CheckStatus::kWarning,
             .subject = "",
             .what = problem,
             .evidence = "Seen while the devices were read.",
             .why = "What could not be read, or is missing, is not offered or not known.",
             .remedy = "As the sentence says; `fairlead-deviceplugin list` shows all of it."});
  }
  for (const Hca& hca : facts.inventory.hcas) {
    out.Fine();
    for (const std::string& problem : hca.problems) {
      out.Add({.severity = CheckStatus::kWarning,
               .subject = hca.name,
               .what = problem,
               .evidence = "Seen while the device was read.",
               .why = "What could not be read, or is missing, is not offered or not known.",
               .remedy = "As the sentence says; `dmesg` may tell more."});
    }
  }
}

void CheckPortState(const NodeFacts& facts, Findings& out) {
  const auto ports = AllPorts(facts);
  for (const PortView& view : ports) {
    const auto active = [&](const PortView& other) {
      return other.hca == view.hca && other.port->state == PortState::kActive;
    };
    if (view.port->state == PortState::kActive) {
      out.Fine();
      continue;
    }
    if (view.port->state == PortState::kNop) {
      out.NotKnown(view.Subject(), "the port's state could not be read");
      continue;
    }
    const bool other = std::any_of(ports.begin(), ports.end(), active);
    const bool disabled = view.port->physical_state == PhysicalState::kDisabled;
    out.Add({.severity = other ? CheckStatus::kNote : CheckStatus::kWarning,
             .subject = view.Subject(),
             .what = "The port is not active.",
             .evidence = "State " + std::string(PortStateName(view.port->state)) +
                         ", physical state " +
                         std::string(PhysicalStateName(view.port->physical_state)) + ".",
             .why = "It carries nothing, and its HCA is offered as unhealthy where no other port "
                    "is active.",
             .remedy = view.port->link_layer == LinkLayer::kInfiniband
                           ? "Cable and optics; is a subnet manager running (`sminfo`)?"
                           : (disabled ? "`ip link set dev " + view.Interface() + " up`; then c"
                                       : std::string("C")) +
                                 "able, optics, the switch's port. Leave it where the port is not "
                                 "used."});
  }
}

void CheckNetnsMode(const NodeFacts& facts, Findings& out) {
  if (facts.inventory.hcas.empty()) return;
  switch (facts.inventory.netns_mode) {
    case NetnsMode::kUnknown:
      out.NotKnown("", "the kernel does not tell the RDMA network namespace mode (before 5.2)");
      return;
    case NetnsMode::kShared:
      out.Fine();
      return;
    case NetnsMode::kExclusive:
      break;
  }
  if (!HasPools(facts, PodNetwork::kPod)) {
    out.Fine();
    return;
  }
  out.Add({.severity = CheckStatus::kNote,
           .subject = "",
           .what = "RDMA devices belong to one network namespace each.",
           .evidence = "`rdma system show`: netns exclusive; a pool has `network: pod`.",
           .why = "A pod with a network of its own sees an HCA only when a CNI plugin has moved it "
                  "there; the device node alone does not do.",
           .remedy = "Chain `rdma-cni` behind SR-IOV in the pod's network, or `rdma system set "
                     "netns shared` before any such pod runs."});
}

void CheckLag(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : AllPorts(facts)) {
    if (!view.hca->bonded) continue;
    out.Add({.severity = CheckStatus::kNote,
             .subject = view.Subject(),
             .what = "The device is a bond, and one queue pair uses one of its ports.",
             .evidence = "RDMA device over several network devices, " +
                         HumanRate(static_cast<double>(view.port->rate_bits_per_second)) +
                         " together.",
             .why = "A connection with one queue pair gets half of the rate at most.",
             .remedy = "Containers get NCCL_IB_QPS_PER_CONNECTION=2 from Fairlead; other programs "
                       "need several queue pairs (`ib_write_bw -q 4`)."});
  }
}

void CheckSoftRdma(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : AllPorts(facts)) {
    if (view.hca->driver != "rxe" && view.hca->driver != "siw") continue;
    const auto mtu = LargestMtu(view.port->mtu_bytes, kRoceOverheadBytes);
    const auto load = HeaviestLine(facts, view.port->rate_bits_per_second);
    std::string why = "It takes CPU for each packet and serves to try things out.";
    if (load && mtu && view.hca->driver == "rxe") {
      const double bits = kSoftWindowPackets * static_cast<double>(*mtu) * 8 /
                          std::chrono::duration<double>(load->rtt).count();
      why += " A queue pair has at most 128 packets of " +
             std::to_string(static_cast<std::uint32_t>(*mtu)) +
             " bytes under way: " + HumanRate(bits) + " on " + LineText(*load) + ".";
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = view.Subject(),
             .what = "The device is software.",
             .evidence = "Driver " + view.hca->driver + ".",
             .why = why,
             .remedy = "More queue pairs for tests of a long line; an HCA for work."});
  }
}

}  // namespace fairlead::deviceplugin
