// What a decision about leases goes by.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/config/bandwidth_config.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// Two connected probes of which the first probes the second by the plan that it has.
struct TestPair {
  std::string node;
  std::string peer_node;
  LinkKey link;
  bool has_hcas = false;  // both do

  auto operator<=>(const TestPair&) const = default;
};

// Lines that gangs cross which run or are being placed; each by its sites in sorted order.
struct GangLines {
  bool known = false;
  std::set<std::pair<std::string, std::string>> crossed{};
};

struct LeaseQuestion {
  MonotonicTime now{};  // does not go backwards
  WallTime wall_now{};
  bool leads = false;
  const BandwidthConfig& settings;
  const LinkSnapshot& links;
  const GangLines& gangs;
  const std::vector<TestPair>& pairs;
};

}  // namespace fairlead::extender
