// What a container is told about GIDs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/profile/allocated_port.h"
#include "deviceplugin/profile/nccl_gid.h"

namespace fairlead::deviceplugin {

// Either the index, or what of the policy is known to be right; what is not set is left to NCCL.
struct GidSetting {
  std::optional<std::uint32_t> index;
  std::optional<AddressFamily> family;
  std::optional<GidPrefix> range;
  std::optional<GidType> version;
  std::vector<std::string> warnings;  // sentences with a remedy
};

// For containers on the host's network, whose GID tables are those of the ports: the index where
// the best GIDs of all RoCE ports have the same one, since NCCL takes one number for all; else the
// policy under which NCCL would take the best GID of each, tried out by NcclChoice: without a
// range, with each allowed subnet, with the longest prefix that the best GIDs share. Nothing and a
// warning where none is right. Pure.
GidSetting HostGidSetting(std::span<const AllocatedPort> ports,
                          const std::vector<GidPrefix>& allow);

// For containers with a network of their own, whose GID tables do not exist yet: only what follows
// from the configuration (the family of the allowed subnets, the range if there is one) and from
// the hardware (RoCE v2 where every port has it). Pure.
GidSetting PodGidSetting(std::span<const AllocatedPort> ports, const std::vector<GidPrefix>& allow,
                         const std::vector<GidPrefix>& deny);

}  // namespace fairlead::deviceplugin
