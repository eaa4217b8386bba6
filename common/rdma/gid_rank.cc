#include "common/rdma/gid_rank.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace fairlead {
namespace {

std::string_view ScopeText(GidScope scope) {
  switch (scope) {
    case GidScope::kZero:
      return "empty";
    case GidScope::kIpv4Mapped:
      return "IPv4";
    case GidScope::kGlobal:
      return "global IPv6";
    case GidScope::kUniqueLocal:
      return "unique local IPv6";
    case GidScope::kLinkLocal:
      return "link-local IPv6";
  }
  return "unknown";
}

int ScopeOrder(GidScope scope) {
  switch (scope) {
    case GidScope::kIpv4Mapped:
      return 0;
    case GidScope::kGlobal:
      return 1;
    case GidScope::kUniqueLocal:
      return 2;
    case GidScope::kLinkLocal:
      return 3;
    case GidScope::kZero:
      break;
  }
  return 4;
}

bool CoveredByAny(const std::vector<GidPrefix>& prefixes, const Gid& gid) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const GidPrefix& prefix) { return Covers(prefix, gid); });
}

// Why an entry cannot be used; nothing when it can.
std::optional<std::string> Exclusion(const GidEntry& entry, const GidPolicy& policy) {
  if (ScopeOf(entry.gid) == GidScope::kZero) return "The table entry is empty.";
  const bool infiniband = policy.link_layer == LinkLayer::kInfiniband;
  if (infiniband != (entry.type == GidType::kInfiniband)) {
    return "The type " + std::string(GidTypeName(entry.type)) + " does not suit a link layer of " +
           std::string(LinkLayerName(policy.link_layer)) + ".";
  }
  if (!entry.netdev_up) return "The network device " + entry.netdev + " is down.";
  if (!policy.netdevs.empty() && std::find(policy.netdevs.begin(), policy.netdevs.end(),
                                           entry.netdev) == policy.netdevs.end()) {
    return "The network device " + (entry.netdev.empty() ? "(unknown)" : entry.netdev) +
           " is not among the allowed ones.";
  }
  if (CoveredByAny(policy.deny, entry.gid)) {
    return HumanGid(entry.gid) + " lies in a denied subnet.";
  }
  if (!policy.allow.empty() && !CoveredByAny(policy.allow, entry.gid)) {
    return HumanGid(entry.gid) + " lies in none of the allowed subnets.";
  }
  return std::nullopt;
}

RankedGid Judge(const GidEntry& entry, const GidPolicy& policy) {
  RankedGid out;
  out.index = entry.index;
  if (const auto exclusion = Exclusion(entry, policy)) {
    out.reason = *exclusion;
    return out;
  }
  out.usable = true;
  if (entry.type == GidType::kInfiniband) {
    out.reason = "InfiniBand GID; the order of the table decides.";
    return out;
  }
  const GidScope scope = ScopeOf(entry.gid);
  out.reason =
      std::string(GidTypeName(entry.type)) + " over " + std::string(ScopeText(scope)) + ".";
  if (scope == GidScope::kLinkLocal) {
    out.warning = true;
    out.reason +=
        " It reaches no further than its own network segment; give the network device "
        "an IPv4 or global IPv6 address.";
  } else if (entry.type == GidType::kRoceV1) {
    out.warning = true;
    out.reason +=
        " RoCE v1 is not routed between subnets; enable RoCE v2 if the peer lies in "
        "another one.";
  }
  return out;
}

}  // namespace

const GidEntry* FindGid(std::span<const GidEntry> entries, std::uint32_t index) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const GidEntry& entry) { return entry.index == index; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<RankedGid> RankGids(std::span<const GidEntry> entries, const GidPolicy& policy) {
  struct Candidate {
    RankedGid ranked;
    std::tuple<bool, int, int, std::uint32_t> order;
  };
  std::vector<Candidate> candidates;
  for (const GidEntry& entry : entries) {
    const RankedGid ranked = Judge(entry, policy);
    const bool by_kind = ranked.usable && entry.type != GidType::kInfiniband;
    candidates.push_back({ranked,
                          {!ranked.usable, by_kind && entry.type == GidType::kRoceV1 ? 1 : 0,
                           by_kind ? ScopeOrder(ScopeOf(entry.gid)) : 0, entry.index}});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  std::vector<RankedGid> out;
  std::uint32_t rank = 0;
  for (Candidate& candidate : candidates) {
    if (candidate.ranked.usable) candidate.ranked.rank = ++rank;
    out.push_back(std::move(candidate.ranked));
  }
  return out;
}

}  // namespace fairlead
