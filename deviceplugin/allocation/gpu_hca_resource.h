// GPUs, each with its nearest HCA, under one resource name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "deviceplugin/allocation/hca_grant.h"
#include "deviceplugin/allocation/offered_ids.h"
#include "deviceplugin/allocation/pairing.h"
#include "deviceplugin/allocation/preference.h"

namespace fairlead::deviceplugin {

// One id for each pair, "0000-3b-00-0-s0-8f6d0c2a": the HCA's slot and the first digits of the
// GPU's UUID, so that a pair that comes apart takes its id with it. Healthy when both are. GPUs
// without a UUID are left out. Beside what both get alone, FAIRLEAD_PAIRS_<RESOURCE> says who is
// with whom.
class GpuHcaResource final : public Resource {
 public:
  GpuHcaResource(HcaPool pool, std::uint32_t slots, std::span<const Gpu> gpus);

  const std::string& name() const override { return ids_.resource(); }
  const std::vector<OfferedDevice>& devices() const override { return ids_.devices(); }
  Result<Grant> Allocate(std::span<const std::string> ids) const override;
  std::vector<std::string> Prefer(const Preference& question) const override;
  bool wants_pre_start() const override { return WantsNcclConf(pool_.profile); }

 private:
  const HcaPool pool_;
  std::vector<Gpu> gpus_;  // sorted by index
  std::vector<Pair> pairs_;
  OfferedIds ids_;
  Closeness closeness_;
};

}  // namespace fairlead::deviceplugin
