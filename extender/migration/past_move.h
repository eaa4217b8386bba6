// A move of a gang, under way or over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/migration/line_condition.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Times are ages by the caller's clock; one that lies ahead counts as now.
struct PastMove {
  std::string id;  // of the gang's moves each its own
  Nanoseconds begun_ago{};
  std::optional<Nanoseconds> ended_ago;  // absent: under way
  bool disturbed = false;  // the gang was stopped, or may have been; false: given up before
  SiteCounts from;
  SiteCounts to;
  std::vector<SitePair> left;  // bad lines for whose sake it moved
};

}  // namespace fairlead::extender
