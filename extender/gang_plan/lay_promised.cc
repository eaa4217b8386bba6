#include "extender/gang_plan/lay_promised.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "extender/gang_plan/node_match.h"

namespace fairlead::extender {
namespace {

void LowerTo(Amounts& least, const Amounts& requests) {
  least.milli_cpu = std::min(least.milli_cpu, requests.milli_cpu);
  least.memory_bytes = std::min(least.memory_bytes, requests.memory_bytes);
  least.ephemeral_storage_bytes =
      std::min(least.ephemeral_storage_bytes, requests.ephemeral_storage_bytes);
  for (auto& [name, wanted] : least.extended) wanted = std::min(wanted, AmountOf(requests, name));
}

void Take(NodeLeft& left, const Amounts& each, std::int64_t members) {
  left.pods -= members;
  left.free.milli_cpu -= each.milli_cpu * members;
  left.free.memory_bytes -= each.memory_bytes * members;
  left.free.ephemeral_storage_bytes -= each.ephemeral_storage_bytes * members;
  for (const auto& [name, wanted] : each.extended) left.free.extended[name] -= wanted * members;
}

class Laying {
 public:
  Laying(std::span<const NodeCapacity> nodes, std::span<const PromisedMembers> promised,
         NodesLeft left)
      : nodes_(nodes), left_(std::move(left)) {
    left_.resize(nodes.size());
    for (const PromisedMembers& promise : promised) {
      const auto [site, fresh] = sites_.try_emplace(promise.site);
      if (fresh) {
        site->second.least.requests = promise.needs->requests;
      } else {
        LowerTo(site->second.least.requests, promise.needs->requests);
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto site = sites_.find(nodes[i].site);
      if (site != sites_.end()) site->second.open.push_back(static_cast<std::uint32_t>(i));
    }
  }

  void Lay(const PromisedMembers& promise) {
    Site& site = sites_.find(promise.site)->second;
    std::uint64_t members = promise.members;
    auto kept = site.open.begin();
    auto at = site.open.begin();
    for (; at != site.open.end() && members > 0; ++at) {
      const std::uint32_t node = *at;
      members -= LayOn(node, *promise.needs, members);
      if (Room(node, site.least) > 0) *kept++ = node;
    }
    site.open.erase(kept, at);
  }

  NodesLeft Left() && { return std::move(left_); }

 private:
  // Where promises are laid.
  struct Site {
    std::vector<std::uint32_t> open;  // nodes that may have room for one of them, in order
    PodNeeds least;                   // the least that any of them asks for, by resource
  };

  std::uint32_t Room(std::uint32_t node, const PodNeeds& needs) const {
    return left_[node] ? RoomIn(needs, left_[node]->free, left_[node]->pods)
                       : RoomIn(needs, nodes_[node].free, nodes_[node].pods);
  }

  // How many of the members went there.
  std::uint64_t LayOn(std::uint32_t node, const PodNeeds& needs, std::uint64_t members) {
    const std::uint64_t laid = std::min<std::uint64_t>(Room(node, needs), members);
    if (laid == 0) return 0;
    const NodeMatch match = MatchNode(needs, nodes_[node]);
    if (match != NodeMatch::kMatches && match != NodeMatch::kHasMember) return 0;
    if (!left_[node]) left_[node] = NodeLeft{nodes_[node].free, nodes_[node].pods};
    Take(*left_[node], needs.requests, static_cast<std::int64_t>(laid));
    return laid;
  }

  const std::span<const NodeCapacity> nodes_;
  NodesLeft left_;
  std::map<std::string_view, Site> sites_;
};

}  // namespace

NodesLeft LayPromised(std::span<const NodeCapacity> nodes,
                      std::span<const PromisedMembers> promised, NodesLeft left) {
  Laying laying(nodes, promised, std::move(left));
  for (const PromisedMembers& promise : promised) laying.Lay(promise);
  return std::move(laying).Left();
}

}  // namespace fairlead::extender
