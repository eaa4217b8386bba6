#include "deviceplugin/discovery/pci_directory.h"

#include <vector>

#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/attribute_text.h"

namespace fairlead::deviceplugin {

std::optional<std::string> EnclosingPciDirectory(std::string_view sysfs_directory) {
  while (!sysfs_directory.empty()) {
    const std::size_t slash = sysfs_directory.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    if (ParsePci(sysfs_directory.substr(slash + 1))) return std::string(sysfs_directory);
    sysfs_directory = sysfs_directory.substr(0, slash);
  }
  return std::nullopt;
}

std::optional<PciPath> EnclosingPciPath(std::string_view sysfs_directory) {
  const auto directory = EnclosingPciDirectory(sysfs_directory);
  if (!directory) return std::nullopt;
  Result<PciPath> path = ParsePciPath(*directory);
  if (!path) return std::nullopt;
  return *std::move(path);
}

PciPlace FindPciPlace(const HostFiles& files, const PciAddress& address) {
  PciPlace place;
  const auto directory = files.Resolve("/sys/bus/pci/devices/" + FormatPci(address));
  if (!directory) return place;
  place.path = EnclosingPciPath(*directory);
  std::vector<std::string> problems;  // an unknown node is all that comes of them
  AttributeReader reader(files, problems);
  place.numa_node = reader.ValueIfAny(*directory + "/numa_node", ParseNumaNode).value_or(-1);
  return place;
}

}  // namespace fairlead::deviceplugin
