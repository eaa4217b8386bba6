// Which entry of a port's GID table to use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/rdma/gid.h"
#include "common/rdma/port.h"

namespace fairlead {

// One entry of a port's GID table.
struct GidEntry {
  std::uint32_t index = 0;
  Gid gid;
  GidType type = GidType::kRoceV2;
  std::string netdev;  // empty where the table does not tell
  bool netdev_up = true;
};

// Addresses that share the first `length` bits of `gid`.
struct GidPrefix {
  Gid gid;
  std::uint32_t length = 128;

  bool operator==(const GidPrefix&) const = default;
};

// The entry at that index of the table; null where none is in use there.
const GidEntry* FindGid(std::span<const GidEntry> entries, std::uint32_t index);

// "10.0.0.0/8" (counted within the IPv4 part) or "2001:db8::/32"; without a length the one address.
// kInvalidArgument for anything else.
Result<GidPrefix> ParseGidPrefix(std::string_view text);
bool Covers(const GidPrefix& prefix, const Gid& gid);

// What may be used. Empty lists allow everything.
struct GidPolicy {
  LinkLayer link_layer = LinkLayer::kEthernet;
  std::vector<std::string> netdevs;  // only entries of these
  std::vector<GidPrefix> allow;      // only entries inside one of these
  std::vector<GidPrefix> deny;       // no entry inside any of these; wins over allow
};

// The verdict on one entry. `rank` counts from 1, the best, among the usable ones and is 0 for the
// rest. `warning`: usable, but something is wrong with it.
struct RankedGid {
  std::uint32_t index = 0;
  std::uint32_t rank = 0;
  bool usable = false;
  bool warning = false;
  std::string reason;  // a sentence for people
};

// Every entry, usable ones first in order of rank, the others by index. RoCE v2 comes before v1;
// within a version IPv4, global IPv6, unique local IPv6, then link-local, which does not leave its
// network segment and so has a warning; equals go by index. Zero entries, entries whose netdev is
// down, and those the policy excludes are not usable. On InfiniBand only the type IB counts, in the
// order of the table. Pure.
std::vector<RankedGid> RankGids(std::span<const GidEntry> entries, const GidPolicy& policy);

}  // namespace fairlead
