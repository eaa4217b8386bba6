// One gang looked at for itself: whether it should move, and to which of its places it may.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/excess_meter.h"
#include "extender/migration/gang_condition.h"
#include "extender/migration/line_condition.h"
#include "extender/migration/move_ledger.h"
#include "extender/migration/verdict.h"

namespace fairlead::extender {

struct JudgedCondition {
  LineCondition condition;
  LineJudgement judgement = LineJudgement::kStale;
};
using JudgedLines = std::map<SitePair, JudgedCondition>;

struct Surroundings {
  const MigrationConfig& config;
  const JudgedLines& lines;
  const MoveLedger& ledger;
  bool cluster_fresh = false;
  MonotonicTime now{};
};

struct Assessment {
  MigrationVerdict verdict;           // reason kMove: it qualifies, as far as it alone decides
  std::vector<const Place*> allowed;  // of the gang's places, best first; only with kMove
};

// Advances the meter by one round and judges. The places in the result are the gang's own.
Assessment Assess(const GangCondition& gang, ExcessMeter& meter, const Surroundings& around);

}  // namespace fairlead::extender
