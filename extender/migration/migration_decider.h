// Decides, round by round, which gangs leave which lines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/excess_meter.h"
#include "extender/migration/gang_condition.h"
#include "extender/migration/mass_breaker.h"
#include "extender/migration/move_ledger.h"
#include "extender/migration/verdict.h"

namespace fairlead::extender {

// A move as the record of a gang tells it that is not judged itself, as while none of its pods
// runs.
struct RecordedMove {
  GangKey gang;
  PastMove move;
};

// All that is known at one moment.
struct MigrationRound {
  MonotonicTime now{};
  WallTime wall{};  // for windows alone
  bool leading = false;
  bool cluster_fresh = false;        // nodes, pods and owners were heard of lately
  std::vector<LineCondition> lines;  // every line that is known, each once
  std::vector<GangCondition> gangs;  // each once
  std::vector<RecordedMove> others;
};

struct MigrationDecisions {
  std::vector<MigrationVerdict> verdicts;  // one a gang, in the order given
  bool held = false;                       // by the breaker
  std::string held_why;
  MassBreaker::Change breaker = MassBreaker::Change::kNone;
};

// Single-threaded. A replica that does not lead decides, too, so that its meters are warm when it
// does. Gangs that qualify are asked by priority, then by what staying costs a second, all members
// together; in enforce the first ones take places and limits away from the later ones. A gang in
// dry-run takes nothing from any other. When the breaker closes, all meters begin anew: what was
// paid in a mass event moves nobody.
class MigrationDecider {
 public:
  MigrationDecisions Decide(const MigrationRound& round, const MigrationConfig& config);

  // What the last round decided for this gang could not be recorded, so it is not under way.
  void Withdraw(const GangKey& gang) { ledger_.Withdraw(gang); }

 private:
  struct Account {
    ExcessMeter meter;
    SiteCounts members;  // of the place that it is for
    MonotonicTime seen{};
  };

  ExcessMeter& MeterOf(const GangCondition& gang, MonotonicTime now);
  void Expire(MonotonicTime now, const MigrationConfig& config);

  std::map<GangKey, Account> accounts_;
  MoveLedger ledger_;
  MassBreaker breaker_;
};

}  // namespace fairlead::extender
