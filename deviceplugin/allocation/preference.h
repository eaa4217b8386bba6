// Which of the free devices go together best.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "deviceplugin/allocation/offered_ids.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// How far the things of a resource are from one another and from the nearest GPU of the node.
struct Closeness {
  std::vector<std::vector<PciDistance>> between;
  std::vector<PciDistance> to_gpu;  // empty where GPUs do not matter
};

// kSystem where either is not on the PCI bus.
PciDistance DistanceBetween(const Hca& a, const Hca& b);
PciDistance DistanceBetween(const Gpu& a, const Gpu& b);

// At most `size` ids: those that must be included first, as they were given, then such that, in
// this order: no thing is given out twice while others are free; the things are close to one
// another on the PCI bus (which puts one NUMA node before another); close to a GPU; with few of
// their ids in use; first by id. Where nothing must be included every first choice is tried. An id
// of a thing that is not in `available` counts as in use. Unknown and doubled ids are passed over.
// Pure.
std::vector<std::string> Choose(const Preference& question, const OfferedIds& ids,
                                const Closeness& closeness);

}  // namespace fairlead::deviceplugin
