// Which GPU goes with which HCA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "deviceplugin/allocation/hca_grant.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

struct Pair {
  std::size_t gpu = 0;  // positions in what was given
  std::size_t hca = 0;
  std::uint32_t slot = 0;  // of the HCA
  PciDistance distance = PciDistance::kSystem;
};

// As many pairs as there are GPUs or slots of HCAs, whichever are fewer, each of the two in one
// pair at most. Of all ways to pair them the one with the fewest pairs at the farthest distance,
// then at the next, and so on; then the one that spreads over the HCAs before it takes second
// slots; then that of the first GPUs and HCAs in the given order. Sorted by GPU. Pure.
std::vector<Pair> PairUp(std::span<const Gpu> gpus, std::span<const OfferedHca> hcas,
                         std::uint32_t slots);

}  // namespace fairlead::deviceplugin
