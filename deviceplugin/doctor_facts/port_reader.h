// What is set for a port's traffic, from sysfs and configfs.
#pragma once

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/doctor/port_facts.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Without what only the running kernel can be asked (`dcb`, `pause`). Nothing is made in configfs
// to be read: where nobody has set a device's defaults the kernel's hold.
PortFacts ReadPort(const HostFiles& files, const Hca& hca, const HcaPort& port);

}  // namespace fairlead::deviceplugin
