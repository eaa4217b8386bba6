#include "deviceplugin/allocation/hca_resource.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {

HcaResource::HcaResource(HcaPool pool, std::uint32_t slots, std::span<const Gpu> gpus)
    : pool_(std::move(pool)), ids_(pool_.profile.resource) {
  for (std::size_t i = 0; i < pool_.hcas.size(); ++i) {
    const OfferedHca& offered = pool_.hcas[i];
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      ids_.Add({.id = SlotId(offered.id, slot),
                .healthy = offered.healthy && offered.present,
                .numa_nodes = KnownNumaNodes({offered.hca->numa_node})},
               i);
    }
    auto& row = closeness_.between.emplace_back();
    for (const OfferedHca& other : pool_.hcas) {
      row.push_back(DistanceBetween(*offered.hca, *other.hca));
    }
    PciDistance nearest = PciDistance::kSystem;
    for (const Gpu& gpu : gpus) nearest = std::min(nearest, DistanceBetween(*offered.hca, gpu));
    closeness_.to_gpu.push_back(nearest);
  }
}

Result<Grant> HcaResource::Allocate(std::span<const std::string> ids) const {
  const auto positions = ids_.Things(ids);
  if (!positions) return Fail(positions.error());
  return GrantHcas(pool_, *positions);
}

std::vector<std::string> HcaResource::Prefer(const Preference& question) const {
  return Choose(question, ids_, closeness_);
}

}  // namespace fairlead::deviceplugin
