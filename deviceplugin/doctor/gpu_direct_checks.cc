#include <algorithm>
#include <charconv>
#include <string>

#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/gpu_direct.h"

namespace fairlead::deviceplugin {
namespace {

// dma-buf can be registered with an HCA from this version on.
constexpr int kDmaBufMajor = 5;
constexpr int kDmaBufMinor = 12;

struct Version {
  int major = 0;
  int minor = 0;
};

std::optional<Version> ParseVersion(const std::string& text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, version.major);
  if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
  if (std::from_chars(dot + 1, end, version.minor).ec != std::errc()) return std::nullopt;
  return version;
}

bool HasDmaBuf(const std::string& kernel) {
  const auto version = ParseVersion(kernel);
  return version && (version->major > kDmaBufMajor ||
                     (version->major == kDmaBufMajor && version->minor >= kDmaBufMinor));
}

}  // namespace

bool HasGpus(const NodeFacts& facts) {
  return !facts.inventory.gpus.empty() || (facts.host.gpu_driver && facts.host.gpu_driver->loaded);
}

std::optional<PciDistance> NearestHca(const NodeFacts& facts, const Gpu& gpu) {
  std::optional<PciDistance> nearest;
  for (const Hca& hca : facts.inventory.hcas) {
    const PciDistance distance = DistanceBetween(hca, gpu);
    if (!nearest || distance < *nearest) nearest = distance;
  }
  return nearest;
}

void CheckGpuDirect(const NodeFacts& facts, Findings& out) {
  if (facts.inventory.hcas.empty()) return;
  const auto& driver = facts.host.gpu_driver;
  if (!driver) {
    out.NotKnown("", driver.why_not());
    return;
  }
  if (!driver->loaded) return;
  const bool dma_buf = driver->open_modules && facts.host.kernel && HasDmaBuf(*facts.host.kernel);
  if (driver->peermem || dma_buf) {
    out.Fine();
    return;
  }
  if (driver->open_modules && !facts.host.kernel) {
    out.NotKnown("", facts.host.kernel.why_not());
    return;
  }
  out.Add({.severity = CheckStatus::kWarning,
           .subject = "",
           .what = "HCAs cannot reach GPU memory.",
           .evidence = "nvidia_peermem is not loaded; " + driver->version + "; kernel " +
                       (facts.host.kernel ? *facts.host.kernel : std::string("not known")) + ".",
           .why = "Without GPUDirect RDMA NCCL copies all it sends and receives through host "
                  "memory, which costs PCIe bandwidth, CPU and time.",
           .remedy = driver->open_modules
                         ? "`modprobe nvidia_peermem`, or a kernel from 5.12 on for dma-buf."
                         : "`modprobe nvidia_peermem`, or the driver's open kernel modules, which "
                           "offer dma-buf (kernel 5.12 or later)."});
}

void CheckGpuDistance(const NodeFacts& facts, Findings& out) {
  for (const Gpu& gpu : facts.inventory.gpus) {
    const std::string subject = "GPU " + std::to_string(gpu.index);
    const auto nearest = NearestHca(facts, gpu);
    if (!nearest) return;
    if (!gpu.pci_path) {
      out.NotKnown(subject, "where it sits on the PCI bus");
      continue;
    }
    if (*nearest <= PciDistance::kSwitches) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = subject,
             .what = "No HCA is below the same PCIe switches as the GPU.",
             .evidence =
                 "The nearest HCA is at distance " + std::string(PciDistanceName(*nearest)) + ".",
             .why = "NCCL uses GPUDirect RDMA up to PXB only, unless NCCL_NET_GDR_LEVEL says "
                    "otherwise, and goes through host memory.",
             .remedy = *nearest == PciDistance::kBridge
                           ? "`fairlead-deviceplugin doctor nccl` says whether PHB is worth a try "
                             "here."
                           : "Give jobs GPUs that have an HCA near; the slots decide."});
  }
}

}  // namespace fairlead::deviceplugin
