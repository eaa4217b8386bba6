#include "deviceplugin/discovery/hca_port.h"

#include <algorithm>
#include <vector>

#include "common/base/quote.h"
#include "deviceplugin/discovery/attribute_text.h"
#include "deviceplugin/discovery/gid_table.h"

namespace fairlead::deviceplugin {
namespace {

void AddOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// The port's own network devices first, then those that its GIDs name (VLANs, bonds).
std::vector<std::string> Netdevs(const Hca& hca, const HcaPort& port, AttributeReader& reader,
                                 NetdevTable& table) {
  std::vector<std::string> names;
  const std::string base = "/sys/class/infiniband/" + hca.name;
  if (const auto parent = reader.TextIfAny(base + "/parent")) {
    if (table.Find(*parent)) AddOnce(names, *parent);
  } else {
    // Missing where the network device is in another namespace or there is none, as for EFA.
    for (const std::string& name :
         reader.files().List(base + "/device/net").value_or(std::vector<std::string>())) {
      if (!AttributeReader::IsText(name)) {
        reader.Report("The network device " + Quoted(name) + " of " + hca.name +
                      " is left out, since its name is no plain text; rename it.");
        continue;
      }
      const Netdev* const netdev = table.Find(name);
      if (netdev && !netdev->representor && netdev->port_index + 1 == port.number) {
        AddOnce(names, name);
      }
    }
  }
  std::vector<std::string> of_gids;
  for (const GidEntry& entry : port.gids) {
    if (table.Find(entry.netdev)) AddOnce(of_gids, entry.netdev);
  }
  std::sort(of_gids.begin(), of_gids.end());
  for (const std::string& name : of_gids) AddOnce(names, name);
  return names;
}

}  // namespace

PortState ReadPortState(const std::string& port_directory, AttributeReader& reader) {
  return reader.Value(port_directory + "/state", ParsePortState).value_or(PortState::kNop);
}

PhysicalState ReadPhysicalState(const std::string& port_directory, AttributeReader& reader) {
  return reader.Value(port_directory + "/phys_state", ParsePhysicalState)
      .value_or(PhysicalState::kUnknown);
}

HcaPort ReadPort(const Hca& hca, const std::string& node_type, std::uint32_t number,
                 AttributeReader& reader, NetdevTable& netdevs) {
  const std::string base = "/sys/class/infiniband/" + hca.name + "/ports/" + std::to_string(number);
  HcaPort port;
  port.number = number;
  port.link_layer =
      reader.Value(base + "/link_layer", ParseLinkLayer).value_or(LinkLayer::kUnspecified);
  port.state = ReadPortState(base, reader);
  port.physical_state = ReadPhysicalState(base, reader);
  port.rate_bits_per_second = reader.Value(base + "/rate", ParseRate).value_or(0);
  const RdmaProtocol protocol = ClassifyProtocol(hca.driver, node_type, port.link_layer);
  GidTable table = ReadGidTable(base, protocol, reader, netdevs);
  port.gid_table_length = table.length;
  port.gids = std::move(table.in_use);
  port.netdevs = Netdevs(hca, port, reader, netdevs);
  if (port.link_layer == LinkLayer::kInfiniband) {
    port.lid = reader.Value(base + "/lid", ParseNumber).value_or(0);
  } else if (!port.netdevs.empty()) {
    port.mtu_bytes = netdevs.Find(port.netdevs.front())->mtu_bytes;
  }
  for (const std::string& name : port.netdevs) {
    for (const std::string& problem : netdevs.Find(name)->problems) reader.Report(problem);
  }
  return port;
}

}  // namespace fairlead::deviceplugin
