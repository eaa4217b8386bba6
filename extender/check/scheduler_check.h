// What check-scheduler-config says.
#pragma once

#include <string>

#include "common/base/result.h"

namespace fairlead::extender {

struct SchedulerCheckWish {
  std::string file;
  std::string env_file;  // the scheduler's environment, NAME=VALUE a line; empty: not told
  std::string feature_gates;
  bool has_feature_gates = false;
};

struct SchedulerCheckResult {
  std::string text;        // a line for each finding and one that sums up
  bool all_right = false;  // nothing but notes
};

// Reads the file and judges it. The error names the file that cannot be read, or the line of it
// that is not understood.
Result<SchedulerCheckResult> CheckSchedulerConfig(const SchedulerCheckWish& wish);

}  // namespace fairlead::extender
