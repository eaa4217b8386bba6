// What of a Node matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "extender/gang_plan/label_set.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

struct ClusterNode {
  std::string name;
  Amounts allocatable;
  std::int64_t pods = 0;  // allocatable
  // What of these cannot be read: "status.allocatable: cpu "much"". Empty: nothing.
  std::string unreadable;
  std::vector<Taint> taints;
  LabelSet labels;
  bool ready = true;        // condition Ready
  bool schedulable = true;  // false: spec.unschedulable

  bool operator==(const ClusterNode&) const = default;
};

}  // namespace fairlead::extender
