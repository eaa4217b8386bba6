#include "extender/migration/place_choice.h"

#include <algorithm>
#include <cmath>

#include "common/units/human.h"

namespace fairlead::extender {
namespace {

bool AllWell(const Place& place, const JudgedLines& lines) {
  return std::ranges::all_of(place.lines, [&](const SitePair& line) {
    const auto found = lines.find(line);
    return found != lines.end() && found->second.judgement == LineJudgement::kWell;
  });
}

// The line of the place that the move left, if it crosses one.
const SitePair* CrossesLeft(const Place& place, const PastMove& move) {
  for (const SitePair& line : place.lines) {
    if (std::ranges::find(move.left, line) != move.left.end()) return &line;
  }
  return nullptr;
}

}  // namespace

std::vector<const Place*> BetterPlaces(const GangCondition& gang, double better_by,
                                       const Surroundings& around) {
  std::vector<const Place*> better;
  if (!around.cluster_fresh || !std::isfinite(gang.step_seconds)) return better;
  const double most = gang.step_seconds * (1 - better_by);
  for (const Place& place : gang.places) {
    if (place.members == gang.members || place.members.empty()) continue;
    if (!(place.step_seconds > 0) || place.step_seconds >= gang.step_seconds) continue;
    if (place.step_seconds > most || !AllWell(place, around.lines)) continue;
    better.push_back(&place);
  }
  return better;
}

std::optional<PlaceBlock> BlockOf(const GangCondition& gang, const Place& place,
                                  const Surroundings& around) {
  for (const PastMove& move : gang.history) {
    const Nanoseconds ago = std::max(move.begun_ago, Nanoseconds(0));
    if (!move.disturbed || ago >= around.config.exclusion) continue;
    const SitePair* line = CrossesLeft(place, move);
    if (line == nullptr && place.members != move.from) continue;
    const std::string what = line != nullptr ? "line " + LineText(*line) : "that place";
    return PlaceBlock{MigrationReason::kPlaceLeft,
                      what + " was left " + HumanAge(ago) + " ago and is not taken again for " +
                          HumanAge(around.config.exclusion),
                      around.config.exclusion - ago};
  }
  for (const std::string& site : SitesJoined(gang.members, place.members)) {
    const auto arrival = around.ledger.LastArrival(site);
    if (!arrival) continue;
    const Nanoseconds ago = std::max(Nanoseconds(around.now - *arrival), Nanoseconds(0));
    if (ago >= around.config.destination_cooldown) continue;
    return PlaceBlock{MigrationReason::kDestinationCooldown,
                      "a gang went to " + site + " " + HumanAge(ago) + " ago; the next may after " +
                          HumanAge(around.config.destination_cooldown),
                      around.config.destination_cooldown - ago};
  }
  return std::nullopt;
}

}  // namespace fairlead::extender
