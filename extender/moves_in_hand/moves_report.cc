#include "extender/moves_in_hand/moves_report.h"

#include <algorithm>

namespace fairlead::extender {

const OpenMoveReport* FindOpen(const MovesReport& report, const GangKey& gang) {
  const auto found = std::ranges::find(report.open, gang, &OpenMoveReport::gang);
  return found == report.open.end() ? nullptr : &*found;
}

std::string StuckText(const MovesReport& report) {
  std::string text;
  for (const OpenMoveReport& move : report.open) {
    if (move.record.stuck.empty()) continue;
    if (!text.empty()) text += "; ";
    text += "the move of " + move.name + " is stuck: " + move.record.stuck;
  }
  return text;
}

}  // namespace fairlead::extender
