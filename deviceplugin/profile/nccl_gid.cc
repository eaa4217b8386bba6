#include "deviceplugin/profile/nccl_gid.h"

#include <algorithm>
#include <vector>

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kMappedBits = 96;  // before the IPv4 part of a mapped address

// fe80::/64, narrower than what the standard calls link-local.
bool IsLinkLocal(const Gid& gid) {
  return gid.bytes[0] == 0xfe && gid.bytes[1] == 0x80 &&
         std::all_of(gid.bytes.begin() + 2, gid.bytes.begin() + 8,
                     [](std::uint8_t byte) { return byte == 0; });
}

bool IsValid(const Gid& gid) { return ScopeOf(gid) != GidScope::kZero && !IsLinkLocal(gid); }

// One walk up the table.
class Walk {
 public:
  Walk(const NcclGidPolicy& policy, const GidEntry& first) : policy_(policy), current_(first) {}

  void Consider(const GidEntry& candidate) {
    if (FamilyOf(candidate.gid) != policy_.family) return;
    if (policy_.range && !Covers(*policy_.range, candidate.gid)) return;
    if (FamilyOf(current_.gid) != policy_.family) {
      current_ = candidate;
      return;
    }
    if (!IsValid(candidate.gid) || candidate.type != policy_.version) return;
    if (current_.type != candidate.type || !IsValid(current_.gid)) current_ = candidate;
  }
  std::uint32_t index() const { return current_.index; }

 private:
  const NcclGidPolicy& policy_;
  GidEntry current_;
};

GidEntry Empty(std::uint32_t index) {
  GidEntry entry;
  entry.index = index;
  return entry;
}

}  // namespace

AddressFamily FamilyOf(const Gid& gid) {
  Gid unicast = gid;
  // ff0e::ffff:a.b.c.d
  if (unicast.bytes[0] == 0xff && unicast.bytes[1] == 0x0e) unicast.bytes[0] = unicast.bytes[1] = 0;
  return ScopeOf(unicast) == GidScope::kIpv4Mapped ? AddressFamily::kIpv4 : AddressFamily::kIpv6;
}

std::optional<AddressFamily> FamilyOf(const GidPrefix& prefix) {
  if (FamilyOf(prefix.gid) == AddressFamily::kIpv4 && prefix.length >= kMappedBits) {
    return AddressFamily::kIpv4;
  }
  Gid any_ipv4;
  any_ipv4.bytes[10] = any_ipv4.bytes[11] = 0xff;
  // A prefix shorter than the part that all mapped addresses share may hold them as well.
  if (Covers({prefix.gid, std::min(prefix.length, kMappedBits)}, any_ipv4)) return std::nullopt;
  return AddressFamily::kIpv6;
}

std::uint32_t NcclChoice(std::span<const GidEntry> gids, std::uint32_t table_length,
                         const NcclGidPolicy& policy) {
  std::vector<const GidEntry*> used;
  for (const GidEntry& entry : gids) used.push_back(&entry);
  std::sort(used.begin(), used.end(),
            [](const GidEntry* a, const GidEntry* b) { return a->index < b->index; });
  const bool has_first = !used.empty() && used.front()->index == 0;
  Walk walk(policy, has_first ? *used.front() : Empty(0));
  std::uint32_t next = 1;
  for (const GidEntry* entry : used) {
    if (entry->index == 0) continue;
    // NCCL looks at empty entries too; of a run of them the first settles it.
    if (entry->index > next) walk.Consider(Empty(next));
    walk.Consider(*entry);
    next = entry->index + 1;
  }
  if (next < table_length) walk.Consider(Empty(next));
  return walk.index();
}

}  // namespace fairlead::deviceplugin
