#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

std::string_view NetnsModeName(NetnsMode mode) {
  switch (mode) {
    case NetnsMode::kUnknown:
      return "";
    case NetnsMode::kShared:
      return "shared";
    case NetnsMode::kExclusive:
      return "exclusive";
  }
  return "";
}

PciDistance DistanceBetween(const Hca& hca, const Gpu& gpu) {
  if (!hca.pci_path || !gpu.pci_path) return PciDistance::kSystem;
  return DistanceBetween(*hca.pci_path, hca.numa_node, *gpu.pci_path, gpu.numa_node);
}

}  // namespace fairlead::deviceplugin
