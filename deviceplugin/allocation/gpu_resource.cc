#include "deviceplugin/allocation/gpu_resource.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/allocation/gpu_grant.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {

GpuResource::GpuResource(std::string resource, std::span<const Gpu> gpus, bool cdi)
    : cdi_(cdi), ids_(std::move(resource)) {
  std::vector<Gpu> named;
  std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(named),
               [](const Gpu& gpu) { return !gpu.uuid.empty(); });
  std::sort(named.begin(), named.end(),
            [](const Gpu& a, const Gpu& b) { return a.index < b.index; });
  for (std::size_t i = 0; i < named.size(); ++i) {
    ids_.Add({.id = GpuId(named[i]),
              .healthy = named[i].healthy,
              .numa_nodes = KnownNumaNodes({named[i].numa_node})},
             i);
    uuids_.push_back(named[i].uuid);
    auto& row = closeness_.between.emplace_back();
    for (const Gpu& other : named) row.push_back(DistanceBetween(named[i], other));
  }
}

Result<Grant> GpuResource::Allocate(std::span<const std::string> ids) const {
  const auto positions = ids_.Things(ids);
  if (!positions) return Fail(positions.error());
  std::vector<std::string> uuids;
  for (const std::size_t position : *positions) uuids.push_back(uuids_[position]);
  Grant grant;
  AddGpus(uuids, cdi_, grant);
  return grant;
}

std::vector<std::string> GpuResource::Prefer(const Preference& question) const {
  return Choose(question, ids_, closeness_);
}

}  // namespace fairlead::deviceplugin
