// A device's place under /sys/devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/pci.h"

namespace fairlead::deviceplugin {

// The PCI path of the function that a resolved sysfs directory is or lies below, so also that of an
// auxiliary or virtio device; nothing where there is none. Pure.
std::optional<PciPath> EnclosingPciPath(std::string_view sysfs_directory);

// The directory of that function.
std::optional<std::string> EnclosingPciDirectory(std::string_view sysfs_directory);

struct PciPlace {
  std::optional<PciPath> path;
  int numa_node = -1;  // below 0: not known
};

// Where a function sits, for a GPU whose address another library tells.
PciPlace FindPciPlace(const HostFiles& files, const PciAddress& address);

}  // namespace fairlead::deviceplugin
