// What a check's finding can be mended by, while the node runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// One file of the kernel's that gets another value.
struct FixStep {
  std::string path;       // as on the host
  std::string value;      // one line
  std::string directory;  // to be made before, if it is not there (configfs); empty: none
};

struct FixPlan {
  std::vector<FixStep> steps;  // in this order; empty: nothing is wrong that they could mend
  std::string caution;         // what happens meanwhile; empty: nothing
};

// The checks that have a plan.
std::vector<std::string_view> FixableChecks();

// What would mend what `check` finds in these facts. kUnsupported for a check whose findings cannot
// be mended safely at run time, kNotFound for none of the checks. Pure.
Result<FixPlan> PlanFix(std::string_view check, const NodeFacts& facts);

}  // namespace fairlead::deviceplugin
