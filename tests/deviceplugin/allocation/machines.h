// Machines as plain values.
#pragma once

#include <string>

#include "deviceplugin/inventory/node_inventory.h"
#include "tests/deviceplugin/profile/port_tables.h"

namespace fairlead::deviceplugin {

inline PciPath PathBelow(std::uint8_t root, std::uint8_t bus, std::uint8_t device = 0) {
  // Host bridge, root port, a switch's upstream and downstream port, the function.
  const auto at = [](std::uint8_t b, std::uint8_t d) { return PciAddress{0, b, d, 0}; };
  return {"pci0000:" + std::to_string(root),
          {at(root, 1), at(root + 1, 0), at(root + 2, device), at(bus, 0)}};
}

// An HCA with one RoCE port below the switch of that root.
inline Hca HcaAt(const std::string& name, std::uint8_t root, std::uint8_t bus, int numa) {
  Hca hca = RoceHca(name, {RocePort({"1 fe80::1", "2 fe80::1", "1 10.0.0.1", "2 10.0.0.1"})});
  hca.pci = PciAddress{0, bus, 0, 0};
  hca.pci_path = PathBelow(root, bus);
  hca.numa_node = numa;
  hca.function = PciFunction::kPhysical;
  hca.uverbs = "uverbs_" + name;
  return hca;
}

inline Gpu GpuAt(std::uint32_t index, std::uint8_t root, std::uint8_t bus, int numa) {
  Gpu gpu;
  gpu.index = index;
  gpu.uuid = "GPU-" + std::string(7, '0') + std::to_string(index) + "-0000-0000-0000-000000000000";
  gpu.pci = PciAddress{0, bus, 0, 0};
  gpu.pci_path = PathBelow(root, bus, 1);
  gpu.numa_node = numa;
  return gpu;
}

// `switches` switches over two NUMA nodes, each with the same number of HCAs and GPUs.
inline NodeInventory Machine(int switches, int hcas_each, int gpus_each) {
  NodeInventory node;
  node.rdma_cm = true;
  for (int s = 0; s < switches; ++s) {
    const auto root = static_cast<std::uint8_t>(s * 24);
    const int numa = s * 2 / switches;
    for (int i = 0; i < hcas_each; ++i) {
      node.hcas.push_back(HcaAt("mlx5_" + std::to_string(node.hcas.size()), root,
                                static_cast<std::uint8_t>(root + 4 + i), numa));
    }
    for (int i = 0; i < gpus_each; ++i) {
      node.gpus.push_back(GpuAt(static_cast<std::uint32_t>(node.gpus.size()), root,
                                static_cast<std::uint8_t>(root + 14 + i), numa));
    }
  }
  return node;
}

}  // namespace fairlead::deviceplugin
