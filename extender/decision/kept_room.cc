#include "extender/decision/kept_room.h"

#include <algorithm>
#include <tuple>

namespace fairlead::extender {
namespace {

auto Rank(const OpenMoveReport& move) {
  return std::tuple(!move.record.disturbed(), move.record.number == 0, move.record.began,
                    move.gang);
}

bool Keeps(const OpenMoveReport& move, const MoveTimes& times, WallTime now) {
  if (!move.record.disturbed()) return true;
  return DestinationOf({move.record, {}}, times, now).binds;
}

}  // namespace

void KeptRoom::Follow(const MovesReport& moves, const ClusterView& cluster, const MoveTimes& times,
                      WallTime now) {
  places_.clear();
  if (moves.open.empty()) return needs_.clear();
  std::vector<const OpenMoveReport*> keep;
  std::map<GangKey, std::shared_ptr<const PodNeeds>> needs;
  for (const OpenMoveReport& move : moves.open) {
    std::shared_ptr<const PodNeeds>& of_gang = needs[move.gang];
    const GangView* const seen = cluster.FindGang(move.gang);
    of_gang = seen != nullptr && seen->needs ? seen->needs : needs_[move.gang];
    if (of_gang && Keeps(move, times, now)) keep.push_back(&move);
  }
  needs_ = std::move(needs);
  std::ranges::sort(keep, {}, [](const OpenMoveReport* move) { return Rank(*move); });
  for (const OpenMoveReport* move : keep) {
    places_.push_back({.gang = move->gang,
                       .move = move->number,
                       .to = move->to,
                       .needs = needs_.find(move->gang)->second});
  }
}

std::span<const KeptPlace> KeptRoom::Before(const GangKey& gang) const {
  const auto own = std::ranges::find(places_, gang, &KeptPlace::gang);
  return {places_.begin(), own};
}

}  // namespace fairlead::extender
