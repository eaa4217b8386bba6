// Ports with GID tables, written shortly.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/inventory/gid_verdicts.h"
#include "deviceplugin/inventory/hca.h"
#include "tests/deviceplugin/profile/nccl_mirror.h"

namespace fairlead::deviceplugin {

// A table entry: "1 fe80::1" or "2 10.0.0.1", RoCE version and address; "" is an empty one.
using Table = std::vector<std::string>;

inline HcaPort RocePort(const Table& table, const GidPolicy& policy = {}) {
  HcaPort port;
  port.link_layer = LinkLayer::kEthernet;
  port.state = PortState::kActive;
  port.gid_table_length = static_cast<std::uint32_t>(table.size());
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    if (table[i].empty()) continue;
    GidEntry entry;
    entry.index = i;
    entry.gid = ParseGid(table[i].substr(2)).value();
    entry.type = table[i][0] == '1' ? GidType::kRoceV1 : GidType::kRoceV2;
    port.gids.push_back(entry);
  }
  port.ranked = JudgeGids(port, RdmaProtocol::kRoce, policy);
  return port;
}

inline Hca RoceHca(const std::string& name, std::vector<HcaPort> ports) {
  Hca hca;
  hca.name = name;
  hca.driver = "mlx5_core";
  hca.protocol = RdmaProtocol::kRoce;
  for (std::uint32_t i = 0; i < ports.size(); ++i) ports[i].number = i + 1;
  hca.ports = std::move(ports);
  return hca;
}

inline std::vector<MirrorGid> MirrorTable(const Table& table) {
  std::vector<MirrorGid> out;
  for (const std::string& entry : table) {
    if (entry.empty()) {
      out.emplace_back();
      continue;
    }
    const std::string address = entry.substr(2);
    const bool ipv4 = address.find(':') == std::string::npos;
    out.push_back({(ipv4 ? "::ffff:" : "") + address, entry[0] - '0'});
  }
  return out;
}

}  // namespace fairlead::deviceplugin
