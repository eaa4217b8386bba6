// How many members of a gang fit where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "extender/gang_plan/node_capacity.h"
#include "extender/gang_plan/node_match.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Members of another gang that will still come to a site, by that gang's plan.
struct PromisedMembers {
  std::string site;
  std::uint32_t members = 0;
  const PodNeeds* needs = nullptr;  // not null
};

// Room is counted up to this many members a node and a site.
inline constexpr std::uint32_t kMostRoom = 1'000'000;

struct MemberRoom {
  std::vector<std::uint32_t> by_node;  // like the nodes given
  std::vector<NodeMatch> match;        // like the nodes given
  SiteCounts by_site;                  // every site of a node, also those without room
};

// Of each node the least over its resources, none where the node does not match; at most one with
// one_per_host. A request of zero is bounded by nothing, the number of pods bounds always. Promised
// members are laid on the nodes of their site in the order given before anything is counted.
// O(nodes x what the needs name).
MemberRoom MembersThatFit(const PodNeeds& needs, std::span<const NodeCapacity> nodes,
                          std::span<const PromisedMembers> promised = {});

}  // namespace fairlead::extender
