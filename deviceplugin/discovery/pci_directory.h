// A device's place under /sys/devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "deviceplugin/inventory/pci.h"

namespace fairlead::deviceplugin {

// The PCI path of the function that a resolved sysfs directory is or lies below, so also that of an
// auxiliary or virtio device; nothing where there is none. Pure.
std::optional<PciPath> EnclosingPciPath(std::string_view sysfs_directory);

// The directory of that function.
std::optional<std::string> EnclosingPciDirectory(std::string_view sysfs_directory);

}  // namespace fairlead::deviceplugin
