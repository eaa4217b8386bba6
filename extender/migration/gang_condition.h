// All that decides whether one gang moves, at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/gang/gang_key.h"
#include "extender/migration/limit_watch.h"
#include "extender/migration/line_condition.h"
#include "extender/migration/moving_cost.h"
#include "extender/migration/past_move.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Where the whole gang could go now: its own room, and what is promised to a move of its own,
// counted as free.
struct Place {
  SiteCounts members;
  double step_seconds = 0;      // predicted: compute and what it cannot hide
  std::vector<SitePair> lines;  // crossed
};

struct GangCondition {
  GangKey key;
  std::string name;  // for people: "ml/llm-7b"
  SiteCounts members;
  std::vector<SitePair> crosses;  // lines in use, insides of its sites where they are judged
  double step_seconds = 0;        // predicted where it is
  std::vector<Place> places;      // with room for all of it, best first

  MovingCost cost;
  std::optional<Nanoseconds> remaining;  // expected; absent: not known
  Nanoseconds running_for{};             // since all members ran
  std::uint32_t size = 0;
  std::uint32_t ready = 0;
  std::uint32_t succeeded = 0;
  std::optional<std::uint32_t> retries_left;  // absent: its lever takes none

  std::int32_t priority = 0;
  std::string priority_class;
  std::optional<MigrationMode> wish;  // the annotation of its pods; of several the least
  std::vector<LimitBreach> breaches;  // of its own limits or the policy's
  std::vector<PastMove> history;      // in any order
  std::string not_movable;            // why not, one sentence; empty: a lever is there
};

// The mode by which the gang is treated: the configuration's off is everybody's; else the
// annotation's, where it may raise or lowers; else that of its class, namespace or the cluster. A
// line that it crosses can only lower it.
MigrationMode ModeOf(const GangCondition& gang, const MigrationConfig& config);

}  // namespace fairlead::extender
