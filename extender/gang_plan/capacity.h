// How many members of a gang fit where.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extender/gang_plan/node_capacity.h"
#include "extender/gang_plan/node_left.h"
#include "extender/gang_plan/node_match.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Members of other gangs that will still come to a site, by those gangs' plans.
struct PromisedMembers {
  std::string site;
  std::uint64_t members = 0;
  const PodNeeds* needs = nullptr;  // not null
};

struct MemberRoom {
  std::vector<std::uint32_t> by_node;  // like the nodes given
  std::vector<NodeMatch> match;        // like the nodes given
  SiteCounts by_site;                  // every site of a node, also those without room
};

// What is left of each node, by its place, where that is not what the node itself says; empty: of
// none.
using NodesLeft = std::vector<std::optional<NodeLeft>>;

// Of each node the least over its resources, none where the node does not match; at most one with
// one_per_host. A request of zero is bounded by nothing, the number of pods bounds always. Promised
// members are laid on the nodes of their site, in the order given and each on the first node that
// has room, before anything is counted; whether a node has a member of the gang in question matters
// to that gang alone. O(nodes x what the needs name), and for promises those nodes that have room.
MemberRoom MembersThatFit(const PodNeeds& needs, std::span<const NodeCapacity> nodes,
                          std::span<const PromisedMembers> promised = {}, NodesLeft left = {});

}  // namespace fairlead::extender
