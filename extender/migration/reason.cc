#include "extender/migration/reason.h"

namespace fairlead::extender {

std::string_view MigrationReasonName(MigrationReason reason) {
  switch (reason) {
    case MigrationReason::kOff:
      return "off";
    case MigrationReason::kMoving:
      return "moving";
    case MigrationReason::kNotMovable:
      return "not_movable";
    case MigrationReason::kLinesWell:
      return "lines_well";
    case MigrationReason::kStale:
      return "stale";
    case MigrationReason::kEvidenceThin:
      return "evidence_thin";
    case MigrationReason::kNotRunning:
      return "not_running";
    case MigrationReason::kBadCost:
      return "bad_cost";
    case MigrationReason::kNoBetterPlace:
      return "no_better_place";
    case MigrationReason::kSaving:
      return "not_paid_yet";
    case MigrationReason::kTooLittleLeft:
      return "too_little_left";
    case MigrationReason::kNearCompletion:
      return "near_completion";
    case MigrationReason::kMinRuntime:
      return "min_runtime";
    case MigrationReason::kGangCooldown:
      return "gang_cooldown";
    case MigrationReason::kGangMoves:
      return "gang_moves";
    case MigrationReason::kRetryBudget:
      return "retry_budget";
    case MigrationReason::kPlaceLeft:
      return "place_left";
    case MigrationReason::kDestinationCooldown:
      return "destination_cooldown";
    case MigrationReason::kBreaker:
      return "breaker";
    case MigrationReason::kOutsideWindow:
      return "outside_window";
    case MigrationReason::kFreeze:
      return "freeze";
    case MigrationReason::kLimitCluster:
      return "limit_cluster";
    case MigrationReason::kLimitSite:
      return "limit_site";
    case MigrationReason::kLimitNamespace:
      return "limit_namespace";
    case MigrationReason::kPlaceClaimed:
      return "place_claimed";
    case MigrationReason::kNotLeading:
      return "not_leading";
    case MigrationReason::kDryRun:
      return "dry_run";
    case MigrationReason::kMove:
      return "move";
  }
  return "";
}

}  // namespace fairlead::extender
