#include "deviceplugin/allocation/gpu_hca_resource.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/config/resource_name.h"
#include "deviceplugin/allocation/gpu_grant.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kLongestId = 63;  // kubelet's limit
constexpr std::size_t kUuidDigits = 8;

// The slot alone is unique already; the digits tell the reader which GPU it is.
std::string PairId(const std::string& hca_id, std::uint32_t slot, const Gpu& gpu) {
  std::string digits = GpuId(gpu);
  if (digits.starts_with("gpu-")) digits.erase(0, 4);
  std::string id = SlotId(hca_id, slot) + "-" + digits.substr(0, kUuidDigits);
  if (id.size() > kLongestId) id.resize(kLongestId);
  while (id.back() == '-') id.pop_back();
  return id;
}

}  // namespace

GpuHcaResource::GpuHcaResource(HcaPool pool, std::uint32_t slots, std::span<const Gpu> gpus)
    : pool_(std::move(pool)), ids_(pool_.profile.resource) {
  std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(gpus_),
               [](const Gpu& gpu) { return !gpu.uuid.empty(); });
  std::sort(gpus_.begin(), gpus_.end(),
            [](const Gpu& a, const Gpu& b) { return a.index < b.index; });
  pairs_ = PairUp(gpus_, pool_.hcas, slots);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Gpu& gpu = gpus_[pairs_[i].gpu];
    const OfferedHca& offered = pool_.hcas[pairs_[i].hca];
    ids_.Add({.id = PairId(offered.id, pairs_[i].slot, gpu),
              .healthy = offered.healthy && offered.present && gpu.healthy,
              .numa_nodes = KnownNumaNodes({offered.hca->numa_node, gpu.numa_node})},
             i);
    auto& row = closeness_.between.emplace_back();
    for (const Pair& other : pairs_) row.push_back(DistanceBetween(gpu, gpus_[other.gpu]));
    closeness_.to_gpu.push_back(pairs_[i].distance);
  }
}

Result<Grant> GpuHcaResource::Allocate(std::span<const std::string> ids) const {
  const auto positions = ids_.Things(ids);
  if (!positions) return Fail(positions.error());
  std::set<std::size_t> hcas;
  std::vector<std::string> uuids;
  std::string text;
  for (const std::size_t position : *positions) {
    const Pair& pair = pairs_[position];
    hcas.insert(pair.hca);
    uuids.push_back(gpus_[pair.gpu].uuid);
    text += (text.empty() ? "" : "; ") + uuids.back() + " " + pool_.hcas[pair.hca].hca->name + " " +
            std::string(PciDistanceName(pair.distance));
  }
  Result<Grant> grant = GrantHcas(pool_, std::vector<std::size_t>(hcas.begin(), hcas.end()));
  if (!grant) return grant;
  AddGpus(uuids, pool_.cdi, *grant);
  if (grant->nccl) {
    for (const std::size_t position : *positions) {
      grant->nccl->gpus.push_back(gpus_[pairs_[position].gpu]);
    }
  }
  grant->env["FAIRLEAD_PAIRS_" + VariableWord(name())] = text;
  return grant;
}

std::vector<std::string> GpuHcaResource::Prefer(const Preference& question) const {
  return Choose(question, ids_, closeness_);
}

}  // namespace fairlead::deviceplugin
