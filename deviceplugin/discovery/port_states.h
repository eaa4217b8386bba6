// A quick look at what may change without any event.
#pragma once

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Whether a port's logical or physical state of the HCA is another one than was read, or can no
// longer be read. An InfiniBand port that goes down sends no netlink message, and reading whole GID
// tables every second would cost more than an idle node should spend: two files a port do not.
bool PortStatesDiffer(const HostFiles& files, const Hca& hca);

}  // namespace fairlead::deviceplugin
