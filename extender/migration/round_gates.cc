#include "extender/migration/round_gates.h"

#include <algorithm>

#include "common/units/human.h"

namespace fairlead::extender {
namespace {

struct Hold {
  MigrationReason reason = MigrationReason::kBreaker;
  std::string sentence;
  std::optional<Nanoseconds> ends_in;
};

bool InAny(const std::vector<WeeklyWindow>& windows, WallTime at) {
  return std::ranges::any_of(windows,
                             [&](const WeeklyWindow& window) { return window.Contains(at); });
}

// Of gangs that qualify, whoever they are.
std::optional<Hold> HoldOfAll(const RoundGates& gates) {
  const MigrationConfig& config = gates.config;
  if (gates.breaker.open()) {
    const Nanoseconds left = gates.breaker.Remaining(gates.now, config.breaker.hold);
    return Hold{MigrationReason::kBreaker,
                "everything is held, because " + gates.breaker.why() + "; for at least another " +
                    HumanAge(left),
                left};
  }
  if (!config.windows.empty() && !InAny(config.windows, gates.wall)) {
    return Hold{MigrationReason::kOutsideWindow, "it is none of the windows in which gangs move",
                std::nullopt};
  }
  if (InAny(config.freezes, gates.wall)) {
    return Hold{MigrationReason::kFreeze, "it is a freeze, in which no gang moves", std::nullopt};
  }
  return std::nullopt;
}

std::optional<Hold> OverLimit(MigrationReason reason, const std::string& whose,
                              const MoveLedger::Use& use, const MoveLimit& limit,
                              const RoundGates& gates) {
  if (use.under_way >= limit.concurrent) {
    return Hold{reason,
                Counted(use.under_way, "move", "moves") + " of " + whose +
                    (use.under_way == 1 ? " is" : " are") + " under way, at most " +
                    std::to_string(limit.concurrent) + " may be",
                std::nullopt};
  }
  if (use.in_window >= limit.per_window) {
    return Hold{reason,
                Counted(use.in_window, "move", "moves") + " of " + whose + " within " +
                    HumanAge(gates.config.limits.window) + ", at most " +
                    std::to_string(limit.per_window) + " may be",
                *use.oldest + gates.config.limits.window - gates.now};
  }
  return std::nullopt;
}

std::optional<Hold> HoldOfPlace(const GangCondition& gang, const Place& place,
                                const RoundGates& gates, const MoveLedger& ledger,
                                const std::set<std::string>& claimed) {
  const MonotonicTime since = gates.now - gates.config.limits.window;
  for (const std::string& site : SitesTouched(gang.members, place.members)) {
    if (auto hold = OverLimit(MigrationReason::kLimitSite, "site " + site,
                              ledger.OfSite(site, since), gates.config.limits.site, gates)) {
      return hold;
    }
  }
  for (const std::string& site : SitesJoined(gang.members, place.members)) {
    if (!claimed.contains(site)) continue;
    return Hold{
        MigrationReason::kPlaceClaimed,
        "a gang that goes first is going to " + site + "; the room is counted anew after it",
        std::nullopt};
  }
  return std::nullopt;
}

void Settle(MigrationVerdict& verdict, const Hold& hold) {
  verdict.reason = hold.reason;
  verdict.sentence += "; but " + hold.sentence;
  verdict.may_change_in = hold.ends_in;
}

}  // namespace

std::string HeldBecause(const RoundGates& gates) {
  const auto hold = HoldOfAll(gates);
  return hold ? hold->sentence : "";
}

void PassGates(const GangCondition& gang, Assessment& assessment, const RoundGates& gates,
               const MoveLedger& ledger, const std::set<std::string>& claimed) {
  MigrationVerdict& verdict = assessment.verdict;
  if (const auto hold = HoldOfAll(gates)) return Settle(verdict, *hold);
  const MonotonicTime since = gates.now - gates.config.limits.window;
  const MigrationLimits& limits = gates.config.limits;
  if (const auto hold = OverLimit(MigrationReason::kLimitCluster, "the cluster",
                                  ledger.OfCluster(since), limits.cluster, gates)) {
    return Settle(verdict, *hold);
  }
  const std::string& name = gang.key.namespace_name;
  if (const auto hold = OverLimit(MigrationReason::kLimitNamespace, "namespace " + name,
                                  ledger.OfNamespace(name, since), limits.of_namespace, gates)) {
    return Settle(verdict, *hold);
  }
  std::optional<Hold> first;
  const Place* chosen = nullptr;
  for (const Place* place : assessment.allowed) {
    const auto hold = HoldOfPlace(gang, *place, gates, ledger, claimed);
    if (!hold) {
      chosen = place;
      break;
    }
    if (!first) first = hold;
  }
  if (chosen == nullptr) return Settle(verdict, *first);
  verdict.to = *chosen;
  if (verdict.mode == MigrationMode::kDryRun) {
    return Settle(verdict, {MigrationReason::kDryRun, "the mode is dry-run", std::nullopt});
  }
  if (!gates.leading) {
    return Settle(verdict, {MigrationReason::kNotLeading, "another replica leads", std::nullopt});
  }
}

}  // namespace fairlead::extender
