#include "extender/moves_in_hand/seen_gang.h"

#include <algorithm>
#include <utility>

namespace fairlead::extender {

std::shared_ptr<const GangView> SeenGang(const ClusterView& cluster, const GangKey& key) {
  const auto gangs = cluster.gangs();
  const auto found = std::ranges::lower_bound(
      gangs, key, {}, [](const auto& gang) -> const GangKey& { return gang->key; });
  return found != gangs.end() && (*found)->key == key ? *found : nullptr;
}

std::uint32_t GangsOf(const ClusterView& cluster, const std::string& owner_uid) {
  return static_cast<std::uint32_t>(std::ranges::count_if(cluster.gangs(), [&](const auto& gang) {
    return !gang->bound.empty() && gang->owner.object.uid == owner_uid;
  }));
}

std::optional<MoveRecord> OpenRecordOf(const GangView& gang) {
  if (!gang.owner.followed) return std::nullopt;
  const auto& moves = gang.owner.moves.history();
  if (!moves || !moves->current.open()) return std::nullopt;
  return moves->current;
}

}  // namespace fairlead::extender
