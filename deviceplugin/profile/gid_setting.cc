#include "deviceplugin/profile/gid_setting.h"

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

struct Best {
  const AllocatedPort* port;
  const GidEntry* gid;
};

// The best GID of each RoCE port that has one; warns of the others and of doubtful ones.
std::vector<Best> BestOfRoce(std::span<const AllocatedPort> ports, bool& all,
                             std::vector<std::string>& warnings) {
  std::vector<Best> out;
  for (const AllocatedPort& port : ports) {
    if (!port.IsRoce()) continue;
    const RankedGid* verdict = BestVerdict(*port.port);
    const GidEntry* gid = BestGid(*port.port);
    if (gid == nullptr) {
      all = false;
      warnings.push_back(port.Name() +
                         (port.port->gid_table_length > 0
                              ? " has no usable GID; give its network interface an address and "
                                "bring it up."
                              : " has a GID table that cannot be read; its problems say why."));
      continue;
    }
    if (verdict->warning) {
      warnings.push_back(port.Name() + ", GID " + std::to_string(gid->index) + ": " +
                         verdict->reason);
    }
    out.push_back({&port, gid});
  }
  return out;
}

bool IsRightForAll(const std::vector<Best>& best, const NcclGidPolicy& policy) {
  return std::all_of(best.begin(), best.end(), [&](const Best& b) {
    return NcclChoice(b.port->port->gids, b.port->port->gid_table_length, policy) == b.gid->index;
  });
}

GidPrefix SharedPrefix(const std::vector<Best>& best) {
  GidPrefix prefix{best.front().gid->gid, 128};
  for (const Best& b : best) {
    while (!Covers(prefix, b.gid->gid)) --prefix.length;
  }
  return prefix;
}

// The first policy under which NCCL takes every best GID.
std::optional<NcclGidPolicy> RightPolicy(const std::vector<Best>& best,
                                         const std::vector<GidPrefix>& allow) {
  NcclGidPolicy policy;
  policy.family = FamilyOf(best.front().gid->gid);
  policy.version = best.front().gid->type;
  std::vector<std::optional<GidPrefix>> ranges{std::nullopt};
  ranges.insert(ranges.end(), allow.begin(), allow.end());
  ranges.emplace_back(SharedPrefix(best));
  for (const std::optional<GidPrefix>& range : ranges) {
    if (range && FamilyOf(*range) != policy.family) continue;
    policy.range = range;
    if (IsRightForAll(best, policy)) return policy;
  }
  return std::nullopt;
}

bool AnyWithin(const std::vector<GidPrefix>& prefixes, const std::optional<GidPrefix>& range) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const GidPrefix& prefix) {
    return !range || Covers(*range, prefix.gid) || Covers(prefix, range->gid);
  });
}

// Of the allowed subnets: the family if it is one, the range if they are one.
void SetByAllowed(const std::vector<GidPrefix>& allow, GidSetting& setting) {
  setting.family = FamilyOf(allow.front());
  for (const GidPrefix& prefix : allow) {
    if (FamilyOf(prefix) != setting.family) setting.family.reset();
  }
  if (setting.family && allow.size() == 1) setting.range = allow.front();
  if (allow.size() > 1) {
    setting.warnings.push_back(
        "NCCL knows one address range only, so of the subnets in gidAllow " +
        std::string(setting.family ? "just the address family" : "nothing") +
        " is passed on to pods with a network of their own; list one subnet that holds them all.");
  }
}

}  // namespace

GidSetting HostGidSetting(std::span<const AllocatedPort> ports,
                          const std::vector<GidPrefix>& allow) {
  GidSetting setting;
  bool all = true;
  const std::vector<Best> best = BestOfRoce(ports, all, setting.warnings);
  if (best.empty()) return setting;
  const bool agree = std::all_of(best.begin(), best.end(), [&](const Best& b) {
    return b.gid->index == best.front().gid->index;
  });
  if (agree && all) {
    setting.index = best.front().gid->index;
    return setting;
  }
  if (const auto policy = RightPolicy(best, allow)) {
    setting.family = policy->family;
    setting.range = policy->range;
    setting.version = policy->version;
    return setting;
  }
  std::string table;
  for (const Best& b : best) {
    table += (table.empty() ? "" : ", ") + b.port->Name() + " " + std::to_string(b.gid->index) +
             " (" + HumanGid(b.gid->gid) + ")";
  }
  setting.warnings.push_back(
      "No setting makes NCCL take the best GID of each HCA: " + table +
      ". Give all of them addresses of one family in the same order, or put them into pools of "
      "their own.");
  return setting;
}

GidSetting PodGidSetting(std::span<const AllocatedPort> ports, const std::vector<GidPrefix>& allow,
                         const std::vector<GidPrefix>& deny) {
  GidSetting setting;
  bool any_roce = false;
  bool all_have_v2 = true;
  bool only_ipv6 = true;
  for (const AllocatedPort& port : ports) {
    if (!port.IsRoce()) continue;
    any_roce = true;
    const std::vector<GidEntry>& gids = port.port->gids;
    all_have_v2 = all_have_v2 && std::any_of(gids.begin(), gids.end(), [](const GidEntry& gid) {
                    return gid.type == GidType::kRoceV2;
                  });
    const GidEntry* best = BestGid(*port.port);
    only_ipv6 = only_ipv6 && best != nullptr && ScopeOf(best->gid) != GidScope::kLinkLocal &&
                FamilyOf(best->gid) == AddressFamily::kIpv6;
  }
  if (!any_roce) return setting;
  if (all_have_v2) setting.version = GidType::kRoceV2;
  if (!allow.empty()) {
    SetByAllowed(allow, setting);
  } else if (only_ipv6) {
    setting.warnings.push_back(
        "The HCAs have IPv6 addresses, and NCCL looks for IPv4 ones unless it is told; list the "
        "pods' subnet under gidAllow.");
  }
  if (AnyWithin(deny, setting.range)) {
    setting.warnings.push_back(
        "NCCL knows no denied subnets, so gidDeny does not hold in pods with a network of their "
        "own; narrow gidAllow.");
  }
  return setting;
}

}  // namespace fairlead::deviceplugin
