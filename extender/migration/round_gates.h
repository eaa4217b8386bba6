// What holds back gangs that qualify: limits, windows, and each other.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/assessment.h"
#include "extender/migration/mass_breaker.h"

namespace fairlead::extender {

struct RoundGates {
  const MigrationConfig& config;
  const MassBreaker& breaker;
  bool leading = false;
  MonotonicTime now{};
  WallTime wall{};
};

// What holds every gang in this round: the breaker, windows or a freeze; empty: nothing.
std::string HeldBecause(const RoundGates& gates);

// Turns an assessment that qualifies into the verdict of this round: kMove, kDryRun or what holds
// it. `claimed`: sites that gangs which go first go to. Of the places the first that nothing holds
// is taken.
void PassGates(const GangCondition& gang, Assessment& assessment, const RoundGates& gates,
               const MoveLedger& ledger, const std::set<std::string>& claimed);

}  // namespace fairlead::extender
