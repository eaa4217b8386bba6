// What an RDMA device is: its driver, its place on the PCI bus, its firmware.
#pragma once

#include <string>

#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Fills in everything about `hca` (its name is set) but its ports and device nodes; the protocol is
// left to who knows the link layer. What software makes of a network device (rxe, siw) has no PCI
// function, whatever its parent is. Returns sysfs' node_type, "1: CA"; empty where it is not told.
std::string ReadIdentity(Hca& hca, AttributeReader& reader);

}  // namespace fairlead::deviceplugin
