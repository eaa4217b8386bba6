#include "tests/deviceplugin/discovery/describe_inventory.h"

#include <algorithm>
#include <sstream>

#include "common/rdma/gid.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {
namespace {

// "word value" where there is a value.
void Add(std::ostream& out, const char* word, const std::string& value) {
  if (!value.empty()) out << ' ' << word << ' ' << value;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

std::string NodeNames(const std::vector<PortNode>& nodes) {
  std::vector<std::string> names;
  for (const PortNode& node : nodes) names.push_back(node.name + ":" + std::to_string(node.port));
  return Joined(names);
}

std::string PathText(const PciPath& path) {
  std::string out = path.host_bridge;
  for (const PciAddress& hop : path.hops) out += " > " + FormatPci(hop);
  return out;
}

void AddGids(std::ostream& out, const HcaPort& port) {
  for (const RankedGid& ranked : port.ranked) {
    const auto entry = std::find_if(port.gids.begin(), port.gids.end(),
                                    [&](const GidEntry& gid) { return gid.index == ranked.index; });
    out << "    " << (ranked.usable ? "#" + std::to_string(ranked.rank) : "--") << " gid "
        << ranked.index << ' ' << HumanGid(entry->gid) << ' ' << GidTypeName(entry->type);
    Add(out, "on", entry->netdev);
    out << (ranked.warning ? " WARNING: " : ": ") << ranked.reason << '\n';
  }
}

void AddPort(std::ostream& out, const HcaPort& port) {
  out << "  port " << port.number << ' ' << LinkLayerName(port.link_layer) << ' '
      << PortStateName(port.state) << ' ' << PhysicalStateName(port.physical_state) << ' '
      << static_cast<double>(port.rate_bits_per_second) / 1e9 << " Gb/s mtu " << port.mtu_bytes
      << " lid " << port.lid;
  Add(out, "netdevs", Joined(port.netdevs));
  out << " gids " << port.gids.size() << " of " << port.gid_table_length << '\n';
  AddGids(out, port);
}

void AddHca(std::ostream& out, const Hca& hca, const std::string& id) {
  out << "hca " << hca.name << ' ' << ProtocolName(hca.protocol) << " id " << id;
  Add(out, "driver", hca.driver);
  out << "\n  card";
  Add(out, "vendor", hca.vendor);
  Add(out, "device", hca.device_id);
  Add(out, "firmware", hca.firmware);
  Add(out, "board", hca.board);
  Add(out, "guid", hca.node_guid);
  out << "\n  function " << FunctionName(hca.function);
  if (hca.function == PciFunction::kSubfunction) out << ' ' << hca.subfunction;
  if (hca.pci) Add(out, "at", FormatPci(*hca.pci));
  if (hca.parent) Add(out, "of", FormatPci(*hca.parent));
  out << " numa " << hca.numa_node << (hca.bonded ? " bonded" : "") << '\n';
  if (hca.pci_path) out << "  path " << PathText(*hca.pci_path) << '\n';
  out << "  nodes";
  Add(out, "uverbs", hca.uverbs);
  out << " abi " << hca.uverbs_abi;
  Add(out, "umad", NodeNames(hca.umad));
  Add(out, "issm", NodeNames(hca.issm));
  out << '\n';
  for (const HcaPort& port : hca.ports) AddPort(out, port);
  for (const std::string& problem : hca.problems) out << "  problem: " << problem << '\n';
}

}  // namespace

std::string DescribeInventory(const NodeInventory& inventory) {
  std::ostringstream out;
  out << "rdma_cm " << (inventory.rdma_cm ? "yes" : "no") << '\n';
  for (const std::string& problem : inventory.problems) out << "problem: " << problem << '\n';
  const std::vector<std::string> ids = HcaIds(inventory.hcas);
  for (std::size_t i = 0; i < ids.size(); ++i) AddHca(out, inventory.hcas[i], ids[i]);
  for (const Gpu& gpu : inventory.gpus) {
    out << "gpu " << gpu.index << " at " << (gpu.pci ? FormatPci(*gpu.pci) : "?") << " numa "
        << gpu.numa_node << ':';
    for (const Hca& hca : inventory.hcas) {
      out << ' ' << hca.name << '=' << PciDistanceName(DistanceBetween(hca, gpu));
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace fairlead::deviceplugin
