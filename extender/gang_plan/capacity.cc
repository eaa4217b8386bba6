#include "extender/gang_plan/capacity.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "extender/gang_plan/lay_promised.h"

namespace fairlead::extender {

MemberRoom MembersThatFit(const PodNeeds& needs, std::span<const NodeCapacity> nodes,
                          std::span<const PromisedMembers> promised, NodesLeft left) {
  if (!promised.empty()) left = LayPromised(nodes, promised, std::move(left));
  MemberRoom room;
  room.by_node.reserve(nodes.size());
  room.match.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeCapacity& node = nodes[i];
    const NodeMatch match = MatchNode(needs, node);
    std::uint32_t members = 0;
    if (match == NodeMatch::kMatches) {
      const bool less = !left.empty() && left[i].has_value();
      members =
          less ? RoomIn(needs, left[i]->free, left[i]->pods) : RoomIn(needs, node.free, node.pods);
    }
    room.match.push_back(match);
    room.by_node.push_back(members);
    if (node.site.empty()) continue;
    std::uint32_t& site = room.by_site[node.site];
    site = std::min(kMostRoom, site + members);
  }
  return room;
}

}  // namespace fairlead::extender
