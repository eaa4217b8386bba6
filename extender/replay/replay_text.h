// A replay for people to read.
#pragma once

#include <string>
#include <vector>

#include "extender/replay/outcome.h"
#include "extender/replay/replay.h"
#include "extender/replay/threshold_table.h"

namespace fairlead::extender {

// All of one replay, with what its files are called.
struct ReplayReport {
  std::string links_name;
  std::string jobs_name;
  const ReplayQuestion& question;
  const ReplayRun& run;
  const Outcome& outcome;
  const std::vector<ThresholdRow>& table;
};

// Of all gangs together.
GangOutcome Together(const Outcome& outcome);

// Each move with its reason, each gang with what kept it in its place, and the thresholds.
std::string ReplayText(const ReplayReport& report);

}  // namespace fairlead::extender
