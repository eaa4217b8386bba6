// Which HCA belongs to which pool.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/inventory/node_inventory.h"
#include "deviceplugin/pool/rejection.h"

namespace fairlead::deviceplugin {

// An HCA that no pool has, and each pool's reason in the order of the configuration; pools that are
// priorities of others have none of their own. Without pools there are no reasons.
struct LeftOut {
  std::size_t hca = 0;  // position in the inventory
  std::vector<Rejection> rejections;
};

// An HCA that several pools select. The first of them in the configuration has it, since a mistake
// in a later pool must not take away what an earlier one handed out already.
struct Overlap {
  std::size_t hca = 0;
  std::string kept_by;
  std::vector<std::string> wanted_by;
  std::string sentence;
};

struct PoolMatch {
  // Positions in the inventory, ascending, one list for each pool of the configuration; a priority
  // has those of its pool.
  std::vector<std::vector<std::size_t>> hcas;
  std::vector<LeftOut> left_out;  // in the order of the inventory
  std::vector<Overlap> overlaps;  // the same
};

// Pure. Depends on the order of the pools, not on that of the HCAs.
PoolMatch MatchPools(const NodeInventory& inventory, const std::vector<PoolConfig>& pools);

}  // namespace fairlead::deviceplugin
