// What the NCCL settings of one container follow from, but for the lines.
#pragma once

#include <memory>
#include <vector>

#include "deviceplugin/inventory/node_inventory.h"
#include "deviceplugin/profile/profile.h"

namespace fairlead::deviceplugin {

struct NcclJob {
  std::vector<std::shared_ptr<const Hca>> hcas;
  std::vector<Gpu> gpus;  // that it gets in pairs with the HCAs; empty: which ones is not known
  ProfileSettings settings;

  bool operator==(const NcclJob&) const = default;  // of the same HCA objects
};

}  // namespace fairlead::deviceplugin
