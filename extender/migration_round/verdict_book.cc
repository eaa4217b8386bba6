#include "extender/migration_round/verdict_book.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

// Of a gang that is first seen and has no reason to leave, nothing is said.
bool WorthTelling(const MigrationVerdict& verdict, std::optional<MigrationReason> before) {
  switch (verdict.reason) {
    case MigrationReason::kOff:
    case MigrationReason::kNotMovable:
    case MigrationReason::kLinesWell:
    case MigrationReason::kStale:
    case MigrationReason::kEvidenceThin:
      return before.has_value();
    case MigrationReason::kMoving:
    case MigrationReason::kNotRunning:
    case MigrationReason::kBadCost:
    case MigrationReason::kNoBetterPlace:
    case MigrationReason::kSaving:
    case MigrationReason::kTooLittleLeft:
    case MigrationReason::kNearCompletion:
    case MigrationReason::kMinRuntime:
    case MigrationReason::kGangCooldown:
    case MigrationReason::kGangMoves:
    case MigrationReason::kRetryBudget:
    case MigrationReason::kPlaceLeft:
    case MigrationReason::kDestinationCooldown:
    case MigrationReason::kBreaker:
    case MigrationReason::kOutsideWindow:
    case MigrationReason::kFreeze:
    case MigrationReason::kLimitCluster:
    case MigrationReason::kLimitSite:
    case MigrationReason::kLimitNamespace:
    case MigrationReason::kPlaceClaimed:
    case MigrationReason::kNotLeading:
    case MigrationReason::kDryRun:
    case MigrationReason::kMove:
      return true;
  }
  return true;
}

// Of those that hold a gang on a bad line the ones that last until a person does something.
bool ForAPerson(const MigrationVerdict& verdict) {
  switch (verdict.reason) {
    case MigrationReason::kNotMovable:
    case MigrationReason::kBadCost:
    case MigrationReason::kNoBetterPlace:
    case MigrationReason::kGangMoves:
    case MigrationReason::kRetryBudget:
    case MigrationReason::kBreaker:
      return !verdict.leaves.empty();
    case MigrationReason::kOff:
    case MigrationReason::kMoving:
    case MigrationReason::kLinesWell:
    case MigrationReason::kStale:
    case MigrationReason::kEvidenceThin:
    case MigrationReason::kNotRunning:
    case MigrationReason::kSaving:
    case MigrationReason::kTooLittleLeft:
    case MigrationReason::kNearCompletion:
    case MigrationReason::kMinRuntime:
    case MigrationReason::kGangCooldown:
    case MigrationReason::kPlaceLeft:
    case MigrationReason::kDestinationCooldown:
    case MigrationReason::kOutsideWindow:
    case MigrationReason::kFreeze:
    case MigrationReason::kLimitCluster:
    case MigrationReason::kLimitSite:
    case MigrationReason::kLimitNamespace:
    case MigrationReason::kPlaceClaimed:
    case MigrationReason::kNotLeading:
    case MigrationReason::kDryRun:
    case MigrationReason::kMove:
      return false;
  }
  return false;
}

std::string Destination(const MigrationVerdict& verdict) {
  return verdict.to ? DescribePlacement(verdict.to->members) : std::string("a better place");
}

}  // namespace

VerdictNews VerdictBook::Note(const std::vector<MigrationVerdict>& verdicts, MonotonicTime now) {
  VerdictNews news;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const MigrationVerdict& verdict = verdicts[i];
    const auto [found, first] = entries_.try_emplace(verdict.gang);
    Entry& entry = found->second;
    entry.seen = now;
    if (first || entry.reason != verdict.reason) {
      const auto before = first ? std::nullopt : std::optional(entry.reason);
      entry.reason = verdict.reason;
      entry.since = now;
      news.changes.push_back({i, before});
      const auto last = entry.told.find(verdict.reason);
      const bool due = last == entry.told.end() || now - last->second >= kTellAgain;
      if (due && WorthTelling(verdict, before)) {
        entry.told[verdict.reason] = now;
        news.told.push_back({i, before});
      }
    }
    news.since.push_back(entry.since);
  }
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.seen != now; });
  return news;
}

std::optional<ClusterEvent> EventOf(const MigrationVerdict& verdict, const GangOwner& owner) {
  if (owner.object.uid.empty()) return std::nullopt;
  ClusterEvent event;
  event.regarding = Regarding(owner.object, verdict.gang.namespace_name);
  event.action = "Migrating";
  if (verdict.reason == MigrationReason::kDryRun) {
    event.reason = "MigrationAdvised";
    event.note = "would move to " + Destination(verdict) + ": " + verdict.sentence;
  } else if (ForAPerson(verdict)) {
    event.type = ClusterEvent::Type::kWarning;
    event.reason = "MigrationBlocked";
    event.note = "stays on a bad line (" + std::string(MigrationReasonName(verdict.reason)) +
                 "): " + verdict.sentence;
  } else {
    return std::nullopt;
  }
  return event;
}

}  // namespace fairlead::extender
