#include "extender/gang_plan/capacity.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

// What is left of a node once promised members are laid on it.
struct Left {
  Amounts free;
  std::int64_t pods = 0;
};

std::int64_t FreeOf(const Amounts& amounts, const std::string& name) {
  const auto found = amounts.extended.find(name);
  return found == amounts.extended.end() ? 0 : found->second;
}

std::uint32_t Room(const PodNeeds& needs, const Amounts& free, std::int64_t pods) {
  std::int64_t room = std::clamp<std::int64_t>(pods, 0, needs.one_per_host ? 1 : kMostRoom);
  const auto bound = [&room](std::int64_t wanted, std::int64_t left) {
    if (wanted > 0) room = std::min(room, std::max<std::int64_t>(left, 0) / wanted);
  };
  bound(needs.requests.milli_cpu, free.milli_cpu);
  bound(needs.requests.memory_bytes, free.memory_bytes);
  bound(needs.requests.ephemeral_storage_bytes, free.ephemeral_storage_bytes);
  for (const auto& [name, wanted] : needs.requests.extended) bound(wanted, FreeOf(free, name));
  return static_cast<std::uint32_t>(room);
}

void Take(Left& left, const Amounts& each, std::int64_t members) {
  left.pods -= members;
  left.free.milli_cpu -= each.milli_cpu * members;
  left.free.memory_bytes -= each.memory_bytes * members;
  left.free.ephemeral_storage_bytes -= each.ephemeral_storage_bytes * members;
  for (const auto& [name, wanted] : each.extended) left.free.extended[name] -= wanted * members;
}

// By node; absent where nothing is promised.
std::vector<std::optional<Left>> LayPromised(std::span<const NodeCapacity> nodes,
                                             std::span<const PromisedMembers> promised) {
  std::vector<std::optional<Left>> left(promised.empty() ? 0 : nodes.size());
  for (const PromisedMembers& promise : promised) {
    std::uint32_t members = promise.members;
    for (std::size_t i = 0; i < nodes.size() && members > 0; ++i) {
      const NodeCapacity& node = nodes[i];
      if (node.site != promise.site) continue;
      if (MatchNode(*promise.needs, node) != NodeMatch::kMatches) continue;
      const std::uint32_t room = left[i] ? Room(*promise.needs, left[i]->free, left[i]->pods)
                                         : Room(*promise.needs, node.free, node.pods);
      const std::uint32_t laid = std::min(room, members);
      if (laid == 0) continue;
      if (!left[i]) left[i] = Left{node.free, node.pods};
      Take(*left[i], promise.needs->requests, laid);
      members -= laid;
    }
  }
  return left;
}

}  // namespace

MemberRoom MembersThatFit(const PodNeeds& needs, std::span<const NodeCapacity> nodes,
                          std::span<const PromisedMembers> promised) {
  const std::vector<std::optional<Left>> left = LayPromised(nodes, promised);
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
          less ? Room(needs, left[i]->free, left[i]->pods) : Room(needs, node.free, node.pods);
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
