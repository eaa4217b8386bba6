// Everything on this node that Fairlead can hand out, at one moment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

struct Gpu {
  std::string uuid;  // "GPU-8f6d..."
  std::uint32_t index = 0;
  std::uint32_t minor = 0;  // of /dev/nvidiaN
  std::string product;
  std::optional<PciAddress> pci;
  std::optional<PciPath> pci_path;
  int numa_node = -1;
  bool healthy = true;
  std::string reason;  // why it is not healthy

  bool operator==(const Gpu&) const = default;
};

// Whether RDMA devices belong to one network namespace each or are seen from all.
enum class NetnsMode { kUnknown, kShared, kExclusive };

// "shared", "exclusive"; empty where it is not known.
std::string_view NetnsModeName(NetnsMode mode);

struct NodeInventory {
  std::vector<Hca> hcas;  // sorted by name
  std::vector<Gpu> gpus;  // sorted by index
  bool rdma_cm = false;   // /dev/infiniband/rdma_cm is there
  NetnsMode netns_mode = NetnsMode::kUnknown;
  std::vector<std::string> problems;  // what concerns no single device
};

// How far the HCA is from the GPU; kSystem where either is not on the PCI bus. Pure.
PciDistance DistanceBetween(const Hca& hca, const Gpu& gpu);

}  // namespace fairlead::deviceplugin
