// How an HCA is attached, from sysfs.
#pragma once

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/doctor/pci_facts.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

PciFacts ReadPci(const HostFiles& files, const Hca& hca);

}  // namespace fairlead::deviceplugin
