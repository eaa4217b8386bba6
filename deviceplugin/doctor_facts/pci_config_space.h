// What a PCI function's configuration space says.
#pragma once

#include <string_view>

#include "deviceplugin/doctor/pci_facts.h"

namespace fairlead::deviceplugin {

// The Device Control register of the PCI Express capability (PCI Express Base Specification,
// 7.5.3.4), from the bytes of sysfs' file `config`. Not known where they end before it: without
// root the kernel gives 64 bytes only. Pure.
Known<PciControlFacts> DeviceControl(std::string_view config);

// Whether the bridge with this configuration space sends requests between devices below it up to
// the root: bits "P2P Request Redirect" and "Upstream Forwarding" of the ACS Control register
// (7.7.8.3). False where the bridge has no such capability. Not known where the bytes are too few.
// Pure.
Known<bool> RedirectsRequests(std::string_view config);

}  // namespace fairlead::deviceplugin
