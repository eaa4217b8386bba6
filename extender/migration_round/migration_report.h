// What the newest round decided, for the page, metrics and whoever asks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/gang_condition.h"
#include "extender/migration/reason.h"
#include "extender/migration/verdict.h"

namespace fairlead::extender {

struct GangReport {
  GangCondition gang;
  MigrationVerdict verdict;
  MonotonicTime since{};  // when the verdict's reason became this one
};

// An immutable value.
struct MigrationReport {
  bool decided = false;  // false: there was no round yet
  MonotonicTime at{};
  MigrationMode mode = MigrationMode::kOff;  // of the configuration
  bool leading = false;
  bool cluster_fresh = false;
  bool held = false;  // by the breaker
  std::string held_why;
  std::vector<GangReport> gangs;  // by key

  std::uint64_t rounds = 0;
  Nanoseconds round_took{};
  std::map<MigrationReason, std::uint64_t> verdicts;  // times a gang came to each
};

// Null where the gang, by GangKey::Text, was not judged.
const GangReport* FindReport(const MigrationReport& report, std::string_view gang);

}  // namespace fairlead::extender
