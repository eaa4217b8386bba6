// What is decided about one gang in one round, with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/gang/gang_key.h"
#include "extender/migration/gang_condition.h"
#include "extender/migration/reason.h"

namespace fairlead::extender {

struct MigrationVerdict {
  GangKey gang;
  std::string name;
  MigrationMode mode = MigrationMode::kOff;
  MigrationReason reason = MigrationReason::kOff;  // kMove: act
  std::string sentence;     // one, with the numbers: what was paid, what it costs, what blocks it
  std::optional<Place> to;  // where it goes, or would; absent: nowhere is better
  std::vector<SitePair> leaves;  // lines for whose sake
  bool by_policy = false;        // a limit was broken for long enough, whatever was paid

  // With kMoving, while the move has not disturbed anything: whether it would still be decided.
  bool may_be_given_up = false;
  std::string unwanted;  // why it is to be given up; empty: it is not

  Nanoseconds paid{};
  double rate = 0;                       // being paid now, a share of the time
  std::optional<Nanoseconds> cost;       // of moving; absent: it makes no sense
  std::optional<Nanoseconds> threshold;  // cost x (1 + margin)
  // When the reason may be another one if nothing else changes; absent: time alone changes nothing.
  std::optional<Nanoseconds> may_change_in;
};

}  // namespace fairlead::extender
