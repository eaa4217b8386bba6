// Where a device sits on the PCI bus.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"

namespace fairlead::deviceplugin {

struct PciAddress {
  std::uint32_t domain = 0;
  std::uint8_t bus = 0;
  std::uint8_t device = 0;
  std::uint8_t function = 0;

  auto operator<=>(const PciAddress&) const = default;
};

// "0000:3b:00.1", as sysfs names functions. NVML's eight-digit domain is read too.
std::string FormatPci(const PciAddress& address);
Result<PciAddress> ParsePci(std::string_view text);

// The way from the host bridge to a function: the bridge as sysfs spells it ("pci0000:3a"), then
// each bridge, switch port and at last the function itself.
struct PciPath {
  std::string host_bridge;
  std::vector<PciAddress> hops;

  bool operator==(const PciPath&) const = default;
};

// The path from a resolved sysfs directory, ".../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0".
// kInvalidArgument where it is not a PCI function's.
Result<PciPath> ParsePciPath(std::string_view sysfs_path);

// How far apart two functions are, in NCCL's words, the nearest first.
enum class PciDistance {
  kSame,      // LOC: one function, or two of one device
  kSwitch,    // PIX: at most one PCIe switch between them
  kSwitches,  // PXB: several switches, no host bridge
  kBridge,    // PHB: one host bridge
  kNode,      // NODE: one NUMA node
  kSystem,    // SYS: across NUMA nodes, or not known
};

std::string_view PciDistanceName(PciDistance distance);  // "PIX"

// `numa` is below 0 where it is not known; two unknown nodes are not the same one. Pure.
PciDistance DistanceBetween(const PciPath& a, int numa_a, const PciPath& b, int numa_b);

}  // namespace fairlead::deviceplugin
