// Which priority the packets of a pool travel in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {

// What the port's priorities follow from: "dscp" or "pcp" (VLAN tag). By the driver's file where it
// has one; mlx5 without it trusts DSCP as long as its DCB table has an entry for one, and VLAN tags
// else. Pure.
Known<std::string> TrustOf(const PortView& view);

// The priority of packets with this IP traffic class byte: by the port's DSCP table, on mlx5 DSCP/8
// for what is not in it; 0 where the port trusts VLAN tags, since the packets carry none. Pure.
Known<std::uint8_t> PriorityFor(const PortView& view, std::uint32_t traffic_class);

// One traffic class that pools set.
struct ClassUse {
  std::uint32_t traffic_class = 0;
  std::vector<std::string> resources;
};

// Each that any pool sets, ascending. Pure.
std::vector<ClassUse> TrafficClasses(const NodeFacts& facts);

// "traffic class 106 (DSCP 26, ECN capable) of rdma/hca".
std::string ClassText(const ClassUse& use);

// "DSCP 26, ECN capable": the two parts of the byte.
std::string ClassParts(std::uint32_t traffic_class);

}  // namespace fairlead::deviceplugin
