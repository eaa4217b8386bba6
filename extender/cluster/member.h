// A pod as the state of the cluster keeps it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// What pods of one job have in common is shared, so pointers compare as values do.
struct Member {
  std::string uid;
  std::string name;
  std::string node;  // empty: pending
  std::shared_ptr<const PodNeeds> needs;
  std::shared_ptr<const OwnerFacts> controller;
  std::shared_ptr<const GangKey> gang;  // null: of none
  std::optional<std::uint32_t> size;    // of the gang, by the pod's own word
  std::optional<std::uint32_t> rank;
  bool terminating = false;

  bool operator==(const Member&) const = default;
};

}  // namespace fairlead::extender
