// Everything that the checks look at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/doctor/host_facts.h"
#include "deviceplugin/doctor/line_facts.h"
#include "deviceplugin/doctor/pci_facts.h"
#include "deviceplugin/doctor/port_facts.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// One of the firmware's settings. They differ from a change until the next reset.
struct FirmwareSetting {
  std::string current;
  std::string next_boot;
};

struct HcaFacts {
  Known<std::vector<std::string>> holders;  // containers, "namespace/pod/container"
  Known<std::uint64_t> queue_pairs;         // of programs, without linkprobe's
  bool idle_before = false;                 // at the last look, with the same holders
  PciFacts pci;
  std::vector<PortFacts> ports;                              // as the HCA's
  Known<std::map<std::string, FirmwareSetting>> firmware;    // by name, from mlxconfig
  Known<std::map<std::string, std::uint32_t>> acceleration;  // fields of register ROCE_ACCL
  Known<std::map<std::string, std::string>> congestion;      // mlx5's cc_params in debugfs
};

struct NodeFacts {
  NodeInventory inventory;
  std::vector<HcaFacts> hcas;  // as inventory.hcas
  HostFacts host;
  Known<SiteLines> lines;
  Known<std::vector<PeerDifference>> peer_differences;  // sorted, each once
  std::vector<PoolConfig> pools;
  Nanoseconds outage = Seconds(30);  // that connections must survive
};

}  // namespace fairlead::deviceplugin
