// What is known of this node and told of it, at one moment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/health/health_book.h"
#include "deviceplugin/inventory/node_inventory.h"
#include "deviceplugin/pool/match_pools.h"

namespace fairlead::deviceplugin {

// An immutable value.
struct NodeState {
  NodeInventory inventory;  // HCAs by id, with those that have vanished and are still listed
  std::vector<WatchedHca> watched;    // watched[i] is inventory.hcas[i]
  PoolMatch match;                    // positions in inventory.hcas
  std::vector<std::string> warnings;  // what containers could not be told right, and the remedy
  MonotonicTime read_at{};            // when the reading began: it tells nothing older
  Nanoseconds read_took{};
  std::uint64_t reads = 0;  // since the start
};

}  // namespace fairlead::deviceplugin
