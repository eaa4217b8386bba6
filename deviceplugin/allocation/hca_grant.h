// The HCAs that a resource hands out and what a container gets with them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/inventory/node_inventory.h"
#include "deviceplugin/offer/resource.h"
#include "deviceplugin/profile/profile.h"

namespace fairlead::deviceplugin {

inline constexpr std::string_view kHcaCdiKind = "fairlead.dev/hca";

struct OfferedHca {
  std::shared_ptr<const Hca> hca;  // as it was last seen
  std::string id;                  // without slot
  bool healthy = true;
  bool present = true;  // false: its node may be another device's by now
};

// One pool's HCAs and settings.
struct HcaPool {
  std::vector<OfferedHca> hcas;  // sorted by id
  ProfileSettings profile;
  bool rdma_cm = false;
  bool cdi = false;
};

// Nodes (or CDI names) and variables for the HCAs at these positions of the pool. kUnavailable
// where one is gone from the node: a container without it would start and then fail. Pure.
Result<Grant> GrantHcas(const HcaPool& pool, std::span<const std::size_t> positions);

}  // namespace fairlead::deviceplugin
