#include "extender/relocation/rivalry.h"

#include <tuple>
#include <vector>

#include "common/units/human.h"
#include "extender/migration/move_ledger.h"

namespace fairlead::extender {
namespace {

auto Rank(const OpenMove& move) {
  return std::tuple(!move.record.disturbed(), move.record.began, move.gang);
}

bool ToOneSite(const MoveRecord& a, const MoveRecord& b) {
  const auto sites = SitesJoined(b.from, b.to);
  for (const std::string& site : SitesJoined(a.from, a.to)) {
    if (sites.contains(site)) return true;
  }
  return false;
}

}  // namespace

Rivalry Compare(const OpenMove& mine, std::span<const OpenMove> all, std::uint32_t concurrent,
                std::uint32_t to_one_site) {
  Rivalry rivalry;
  std::uint32_t before = 0;
  std::uint32_t open = 0;
  std::vector<const GangKey*> there_before;
  std::vector<const GangKey*> there_behind;
  for (const OpenMove& other : all) {
    if (other.gang == mine.gang || !other.record.open()) continue;
    ++open;
    const bool ahead = Rank(other) < Rank(mine);
    if (ahead) ++before;
    if (ToOneSite(mine.record, other.record)) {
      (ahead ? there_before : there_behind).push_back(&other.gang);
    }
  }
  if (there_before.size() >= to_one_site) {
    rivalry.gives_way =
        "gang " + there_before.back()->Text() + " began to go to the same site before it";
  } else if (!there_behind.empty() && there_before.size() + there_behind.size() >= to_one_site) {
    rivalry.holds =
        "gang " + there_behind.back()->Text() + ", which wants to go to the same site, to give way";
  }
  if (before >= concurrent) {
    rivalry.gives_way = Counted(before, "move", "moves") + " began before it, at most " +
                        std::to_string(concurrent) + " may be under way";
  } else if (open >= concurrent) {
    rivalry.holds = Counted(open - before, "later move", "later moves") + " to give way";
  }
  return rivalry;
}

}  // namespace fairlead::extender
