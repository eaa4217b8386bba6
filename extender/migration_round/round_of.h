// One round of the decision, from all that is known.
#pragma once

#include <functional>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/cluster/cluster_view.h"
#include "extender/gang_plan/whole_room.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"
#include "extender/migration/limit_watch.h"
#include "extender/migration/migration_decider.h"

namespace fairlead::extender {

struct RoundKnowledge {
  const ClusterView& cluster;
  const LinkSnapshot& links;
  const LineCatalogue& lines;
  const MigrationConfig& config;
  // What the gang, all of whose pods have nodes, finds; asked for those alone that have reason to
  // leave.
  std::function<WholeRoom(const GangView&)> room_of;
  // The record of an owner that the watch does not follow, by the uid of what it takes for the
  // gang's owner; empty: none is known.
  std::function<RecordedMoves(const std::string& uid)> record_of{};
  // Why a move of the gang that was decided could not even be recorded a moment ago; empty: none
  // was.
  std::function<std::string(const GangKey&)> declined{};
  bool leading = false;
  bool cluster_fresh = false;
  MonotonicTime now{};
  WallTime wall{};
};

// Gangs of two members and more of which one has a node. Places are looked for where a line that
// the gang crosses is not known to be well, where a limit is broken, and while it is being moved.
// `limits` lives from round to round.
MigrationRound RoundOf(const RoundKnowledge& known, LimitWatch& limits);

}  // namespace fairlead::extender
