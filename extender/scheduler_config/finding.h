// Something about a scheduler's configuration that its owner should know.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "extender/scheduler_config/feature_gates.h"

namespace fairlead::extender {

enum class Severity {
  kNote,     // right, but not obvious
  kWarning,  // works, worse than it could
  kError,    // does not do what it seems to
};

struct Finding {
  int line = 0;  // counted from 1; 0: the file as a whole
  Severity severity = Severity::kNote;
  std::string what;  // the key and its value
  std::string why;
  std::string remedy;
};
using Findings = std::vector<Finding>;

// What is not in the file. Absent: not told.
struct Surroundings {
  std::optional<std::map<std::string, std::string>> environment;  // of the scheduler's process
  std::optional<FeatureGates> feature_gates;                      // of its --feature-gates
};

}  // namespace fairlead::extender
