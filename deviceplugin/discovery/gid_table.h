// The GID table of a port, from sysfs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/rdma/gid_rank.h"
#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/netdev_table.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

struct GidTable {
  std::uint32_t length = 0;      // with the empty places
  std::vector<GidEntry> in_use;  // by index
};

// `port_directory` is ".../infiniband/NAME/ports/N". Empty places are left out, and so are those
// whose type the kernel does not tell on RoCE, which it does for entries that are not ours to see.
GidTable ReadGidTable(const std::string& port_directory, RdmaProtocol protocol,
                      AttributeReader& reader, NetdevTable& netdevs);

}  // namespace fairlead::deviceplugin
