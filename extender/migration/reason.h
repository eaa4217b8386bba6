// Why a gang is moved, or is not.
#pragma once

#include <array>
#include <string_view>

namespace fairlead::extender {

// In the order in which they are asked: the first that holds is the verdict's.
enum class MigrationReason {
  kOff,            // by configuration or annotation
  kMoving,         // a move of it is under way, or was decided and is not seen yet
  kNotMovable,     // no lever that is known to be safe, or a record that cannot be read
  kLinesWell,      // every line that it crosses is
  kStale,          // what is known of a line or of the cluster is too old
  kEvidenceThin,   // a line is bad, but too few samples, nodes or seconds say so
  kNotRunning,     // not all members are ready
  kBadCost,        // what moving costs makes no sense
  kNoBetterPlace,  // that has room for all of it, on lines known to be well
  kSaving,         // less paid than moving costs
  kTooLittleLeft,  // the gain over what remains does not reach the cost
  kNearCompletion,
  kMinRuntime,
  kGangCooldown,
  kGangMoves,            // so many in a day are enough
  kRetryBudget,          // the owner would fail for good after a few more restarts
  kPlaceLeft,            // the better place was left not long ago
  kDestinationCooldown,  // another gang went there a moment ago
  kBreaker,              // too much is bad at once
  kOutsideWindow,
  kFreeze,
  kLimitCluster,
  kLimitSite,
  kLimitNamespace,
  kPlaceClaimed,  // by a gang that goes first
  kNotLeading,    // another replica acts
  kDryRun,        // it would move now
  kMove,          // it moves now
};

inline constexpr std::array kAllMigrationReasons{
    MigrationReason::kOff,           MigrationReason::kMoving,
    MigrationReason::kNotMovable,    MigrationReason::kLinesWell,
    MigrationReason::kStale,         MigrationReason::kEvidenceThin,
    MigrationReason::kNotRunning,    MigrationReason::kBadCost,
    MigrationReason::kNoBetterPlace, MigrationReason::kSaving,
    MigrationReason::kTooLittleLeft, MigrationReason::kNearCompletion,
    MigrationReason::kMinRuntime,    MigrationReason::kGangCooldown,
    MigrationReason::kGangMoves,     MigrationReason::kRetryBudget,
    MigrationReason::kPlaceLeft,     MigrationReason::kDestinationCooldown,
    MigrationReason::kBreaker,       MigrationReason::kOutsideWindow,
    MigrationReason::kFreeze,        MigrationReason::kLimitCluster,
    MigrationReason::kLimitSite,     MigrationReason::kLimitNamespace,
    MigrationReason::kPlaceClaimed,  MigrationReason::kNotLeading,
    MigrationReason::kDryRun,        MigrationReason::kMove};

// Stable words for metrics and JSON: "lines_well", "gang_cooldown".
std::string_view MigrationReasonName(MigrationReason reason);

}  // namespace fairlead::extender
