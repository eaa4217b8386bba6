#include "deviceplugin/discovery/netdev_table.h"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <string_view>

#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/attribute_text.h"
#include "deviceplugin/discovery/pci_directory.h"

namespace fairlead::deviceplugin {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "pf0vf3", "c1pf0sf88", "pf0hpf": the far side belongs to a virtual function, a sub-function or
// the host of a smart NIC. The uplink is "p0".
bool NamesRepresentor(std::string_view port_name) {
  if (port_name.starts_with('c')) {
    const auto* const digits_end =
        std::find_if_not(port_name.begin() + 1, port_name.end(), IsDigit);
    port_name.remove_prefix(static_cast<std::size_t>(digits_end - port_name.begin()));
  }
  return port_name.starts_with("pf") && port_name.size() > 3 && IsDigit(port_name[2]) &&
         std::any_of(port_name.begin() + 3, port_name.end(), [](char c) { return !IsDigit(c); });
}

// What a driver answers that names no ports, and a device that is going away.
bool MeansNoName(int error_number) {
  return error_number == EOPNOTSUPP || error_number == ENOENT || error_number == EINVAL;
}

std::string LastPart(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

const Netdev* NetdevTable::Find(const std::string& name) {
  auto found = known_.find(name);
  if (found == known_.end()) found = known_.emplace(name, Read(name)).first;
  return found->second ? &*found->second : nullptr;
}

std::optional<Netdev> NetdevTable::Read(const std::string& name) const {
  const std::string base = "/sys/class/net/" + name;
  const auto kind = files_.Kind(base);
  if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos || !kind ||
      *kind != FileKind::kDirectory) {
    return std::nullopt;
  }
  Netdev netdev;
  AttributeReader reader(files_, netdev.problems);
  // "unknown" is what a driver says that does not keep this state (RFC 2863), and no bad news.
  const auto state = reader.Text(base + "/operstate");
  netdev.up = !state || *state == "up" || *state == "unknown";
  netdev.mtu_bytes = reader.Value(base + "/mtu", ParseNumber).value_or(0);
  netdev.port_index = reader.ValueIfAny(base + "/dev_port", ParseNumber).value_or(0);
  const auto port_name = reader.TextUnless(base + "/phys_port_name", MeansNoName);
  netdev.representor = port_name && NamesRepresentor(*port_name);
  if (const auto device = files_.Resolve(base + "/device")) {
    if (const auto path = EnclosingPciPath(*device)) netdev.pci = path->hops.back();
  }
  if (const auto master = files_.Resolve(base + "/master")) {
    if (files_.Kind(*master + "/bonding")) netdev.bond = LastPart(*master);
  }
  std::istringstream slaves(reader.TextIfAny(base + "/bonding/slaves").value_or(""));
  for (std::string slave; slaves >> slave;) netdev.slaves.push_back(slave);
  std::sort(netdev.slaves.begin(), netdev.slaves.end());
  return netdev;
}

}  // namespace fairlead::deviceplugin
