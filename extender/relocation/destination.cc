#include "extender/relocation/destination.h"

#include <algorithm>

namespace fairlead::extender {

namespace {

constexpr Nanoseconds kLongestJobBackoff = Seconds(600);

}  // namespace

Nanoseconds BindsFor(LeverKind lever, const MoveTimes& times) {
  return times.patience + (lever == LeverKind::kEvict ? kLongestJobBackoff : Nanoseconds(0));
}

Destination DestinationOf(const MoveHistory& moves, const MoveTimes& times, WallTime now) {
  Destination destination;
  const MoveRecord& current = moves.current;
  destination.move = current.number;
  if (current.open() && current.disturbed()) {
    destination.binds =
        current.step == MoveStep::kStop || now - current.since < BindsFor(current.lever, times);
    destination.to = current.to;
    destination.old = current.members;
  }
  const auto add = [&](bool disturbed, WallTime began, const std::vector<SitePair>& left) {
    if (!disturbed || now - began >= times.exclusion) return;
    destination.left.insert(destination.left.end(), left.begin(), left.end());
  };
  add(current.disturbed(), current.began, current.left);
  for (const ClosedMove& move : moves.past) add(move.disturbed, move.began, move.left);
  std::ranges::sort(destination.left);
  std::vector<SitePair>& left = destination.left;
  left.erase(std::unique(left.begin(), left.end()), left.end());
  return destination;
}

bool IsOfAfter(const Destination& destination, std::string_view uid, std::string_view site) {
  return destination.to.contains(site) &&
         std::ranges::find(destination.old, PodPrint(uid)) == destination.old.end();
}

}  // namespace fairlead::extender
