#include <algorithm>
#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/gpu_direct.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint64_t kFast = 100'000'000'000;
constexpr std::uint32_t kLargeReads = 4096;

bool IsFast(const Hca& hca) {
  return std::any_of(hca.ports.begin(), hca.ports.end(),
                     [](const HcaPort& port) { return port.rate_bits_per_second >= kFast; });
}

bool Matters(const Hca& hca) { return hca.pci && hca.function == PciFunction::kPhysical; }

}  // namespace

void CheckIommu(const NodeFacts& facts, Findings& out) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (!Matters(hca)) continue;
    const auto& iommu = facts.hcas[i].pci.iommu;
    if (!iommu) {
      out.NotKnown(hca.name, iommu.why_not());
      continue;
    }
    if (*iommu == "none" || *iommu == "identity") {
      out.Fine();
      continue;
    }
    const bool gpus = HasGpus(facts);
    out.Add({.severity = gpus ? CheckStatus::kWarning : CheckStatus::kNote,
             .subject = hca.name,
             .what = "The IOMMU translates each of the HCA's accesses.",
             .evidence = "iommu_group/type: " + *iommu + ".",
             .why = std::string("Registering memory and each access cost more") +
                    (gpus ? ", and what goes to a GPU takes the way through the root complex "
                            "instead of the switch."
                          : "."),
             .remedy = "Kernel command line `iommu=pt` (with `intel_iommu=on` or AMD's default), "
                       "and a reboot; in a virtual machine the host decides."});
  }
}

void CheckAcs(const NodeFacts& facts, Findings& out) {
  if (!HasGpus(facts)) return;
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (!Matters(hca)) continue;
    const auto& bridges = facts.hcas[i].pci.redirecting_bridges;
    if (!bridges) {
      out.NotKnown(hca.name, bridges.why_not());
      continue;
    }
    if (bridges->empty()) {
      out.Fine();
      continue;
    }
    std::string names;
    for (const std::string& name : *bridges) names += (names.empty() ? "" : ", ") + name;
    out.Add({.severity = CheckStatus::kWarning,
             .subject = hca.name,
             .what = "The PCIe switches above the HCA send its accesses to GPUs up to the root.",
             .evidence = "ACS request redirect and upstream forwarding are on at " + names + ".",
             .why = "GPUDirect RDMA then runs through the root complex, at a part of its rate, and "
                    "may fail in NCCL.",
             .remedy = "Switch ACS off in the firmware set-up, or at each boot clear the bits with "
                       "`setpci -s BRIDGE ECAP_ACS+6.w=0000`. Not where virtual machines get "
                       "devices of their own."});
  }
}

void CheckPciTuning(const NodeFacts& facts, Findings& out) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (!Matters(hca) || !IsFast(hca)) continue;
    const auto& control = facts.hcas[i].pci.control;
    if (!control) {
      out.NotKnown(hca.name, control.why_not());
      continue;
    }
    out.Fine();
    if (!control->relaxed_ordering) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = hca.name,
               .what = "PCIe relaxed ordering is off for the HCA.",
               .evidence = "Device Control: RlxdOrd-.",
               .why = "Writes to memory wait for each other, which on some hosts (AMD, virtual "
                      "machines) keeps a fast port below its rate, whatever "
                      "NCCL_IB_PCI_RELAXED_ORDERING asks for.",
               .remedy = "Enable it in the firmware set-up, or `setpci -s " + FormatPci(*hca.pci) +
                         " CAP_EXP+8.w=0010:0010` at boot."});
    }
    if (control->read_request_bytes < kLargeReads) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = hca.name,
               .what = "The HCA reads memory in small requests.",
               .evidence = "Device Control: MaxReadReq " +
                           std::to_string(control->read_request_bytes) + " bytes.",
               .why = "Sending needs more requests under way than with 4096; below 200 Gbps it "
                      "seldom shows.",
               .remedy = "`setpci -s " + FormatPci(*hca.pci) +
                         " CAP_EXP+8.w=5000:7000` at boot, and compare before and after."});
    }
  }
}

}  // namespace fairlead::deviceplugin
