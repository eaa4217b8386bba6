#include "deviceplugin/inventory/gid_verdicts.h"

#include <algorithm>
#include <optional>
#include <string>

namespace fairlead::deviceplugin {
namespace {

// Why an entry is out of the question whatever the policy says.
std::optional<std::string> Foreign(const GidEntry& entry, const HcaPort& port,
                                   RdmaProtocol protocol) {
  switch (protocol) {
    case RdmaProtocol::kIwarp:
      return "iWARP connects by IP address, not by GID.";
    case RdmaProtocol::kEfa:
      return "EFA addresses its peers through libfabric, not by GID.";
    case RdmaProtocol::kUnknown:
    case RdmaProtocol::kInfiniband:
    case RdmaProtocol::kRoce:
      break;
  }
  const bool here = entry.netdev.empty() || std::find(port.netdevs.begin(), port.netdevs.end(),
                                                      entry.netdev) != port.netdevs.end();
  if (here) return std::nullopt;
  return "The network device " + entry.netdev + " is in another network namespace.";
}

}  // namespace

std::vector<RankedGid> JudgeGids(const HcaPort& port, RdmaProtocol protocol, GidPolicy policy) {
  policy.link_layer = port.link_layer;
  std::vector<GidEntry> candidates;
  std::vector<RankedGid> foreign;
  for (const GidEntry& entry : port.gids) {
    if (const auto reason = Foreign(entry, port, protocol)) {
      foreign.push_back({entry.index, 0, false, false, *reason});
    } else {
      candidates.push_back(entry);
    }
  }
  std::vector<RankedGid> out = RankGids(candidates, policy);
  out.insert(out.end(), foreign.begin(), foreign.end());
  std::stable_sort(out.begin(), out.end(), [](const RankedGid& a, const RankedGid& b) {
    if (a.usable != b.usable) return a.usable;
    return a.usable ? a.rank < b.rank : a.index < b.index;
  });
  return out;
}

}  // namespace fairlead::deviceplugin
