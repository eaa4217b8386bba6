// HCAs under one resource name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "deviceplugin/allocation/hca_grant.h"
#include "deviceplugin/allocation/offered_ids.h"
#include "deviceplugin/allocation/preference.h"

namespace fairlead::deviceplugin {

// Every HCA has `slots` ids; several of one HCA in one container are that HCA once. Kubelet gives
// an exclusive HCA (one slot) to one container at a time; a pool and its priorities count apart.
class HcaResource final : public Resource {
 public:
  // `gpus` serve the choice of HCAs near one.
  HcaResource(HcaPool pool, std::uint32_t slots, std::span<const Gpu> gpus);

  const std::string& name() const override { return ids_.resource(); }
  const std::vector<OfferedDevice>& devices() const override { return ids_.devices(); }
  Result<Grant> Allocate(std::span<const std::string> ids) const override;
  std::vector<std::string> Prefer(const Preference& question) const override;
  bool wants_pre_start() const override { return WantsNcclConf(pool_.profile); }

 private:
  const HcaPool pool_;
  OfferedIds ids_;
  Closeness closeness_;
};

}  // namespace fairlead::deviceplugin
