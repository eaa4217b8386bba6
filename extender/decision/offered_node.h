// A node that a scheduler offers for a pod.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::extender {

// What the scheduler that offers a node believes is left of it, its own placements of this round
// included. Amounts of other resources by name, in whole units.
struct IdleCapacity {
  double milli_cpu = 0;
  double memory_bytes = 0;
  std::vector<std::pair<std::string_view, double>> others;

  // 0 for a resource that the node has not.
  double Of(std::string_view resource) const {
    for (const auto& [name, amount] : others) {
      if (name == resource) return amount;
    }
    return 0;
  }
};

// Views into the request.
struct OfferedNode {
  std::string_view name;
  std::string_view site;               // its site label; empty where the request brings none
  std::string_view raw;                // the Node as it came, in JSON; empty in the names form
  const IdleCapacity* idle = nullptr;  // null where the request does not tell
  std::span<const std::string_view> peers = {};  // UIDs of the gang's members placed on it
};

}  // namespace fairlead::extender
