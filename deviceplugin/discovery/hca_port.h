// One port of an RDMA device, from sysfs.
#pragma once

#include <cstdint>
#include <string>

#include "common/rdma/gid_rank.h"
#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/netdev_table.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// `hca` has its identity. The GIDs are there, their verdicts are not.
HcaPort ReadPort(const Hca& hca, const std::string& node_type, std::uint32_t number,
                 AttributeReader& reader, NetdevTable& netdevs);

// The states of the port in ".../infiniband/NAME/ports/N"; kNop and kUnknown where they cannot be
// read.
PortState ReadPortState(const std::string& port_directory, AttributeReader& reader);
PhysicalState ReadPhysicalState(const std::string& port_directory, AttributeReader& reader);

}  // namespace fairlead::deviceplugin
