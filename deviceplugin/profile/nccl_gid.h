// How NCCL chooses a GID by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/rdma/gid_rank.h"

namespace fairlead::deviceplugin {

enum class AddressFamily { kIpv4, kIpv6 };

// As NCCL tells them apart: an IPv4-mapped address, also of a multicast group, is IPv4, all else
// IPv6.
AddressFamily FamilyOf(const Gid& gid);

// The family whose addresses alone the prefix covers; nothing where it covers both.
std::optional<AddressFamily> FamilyOf(const GidPrefix& prefix);

// NCCL_IB_ADDR_FAMILY, NCCL_IB_ADDR_RANGE and NCCL_IB_ROCE_VERSION_NUM; the defaults are NCCL's.
struct NcclGidPolicy {
  AddressFamily family = AddressFamily::kIpv4;
  std::optional<GidPrefix> range;  // of that family
  GidType version = GidType::kRoceV2;

  bool operator==(const NcclGidPolicy&) const = default;
};

// The index that NCCL takes on a RoCE port with this table while NCCL_IB_GID_INDEX is not set, as
// its net_ib transport does from 2.21 to 2.30: it walks up the table from index 0, moves to the
// first address of the family in the range whatever its version, then to one of the wanted version.
// Where none fits it stays at index 0 without a word. Pure.
std::uint32_t NcclChoice(std::span<const GidEntry> gids, std::uint32_t table_length,
                         const NcclGidPolicy& policy);

}  // namespace fairlead::deviceplugin
