// GPUs under one resource name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "deviceplugin/allocation/offered_ids.h"
#include "deviceplugin/allocation/preference.h"

namespace fairlead::deviceplugin {

// One id for each GPU that has a UUID, by which alone a container runtime finds it surely.
class GpuResource final : public Resource {
 public:
  GpuResource(std::string resource, std::span<const Gpu> gpus, bool cdi);

  const std::string& name() const override { return ids_.resource(); }
  const std::vector<OfferedDevice>& devices() const override { return ids_.devices(); }
  Result<Grant> Allocate(std::span<const std::string> ids) const override;
  std::vector<std::string> Prefer(const Preference& question) const override;

 private:
  const bool cdi_;
  std::vector<std::string> uuids_;  // in the order of the GPUs
  OfferedIds ids_;
  Closeness closeness_;
};

}  // namespace fairlead::deviceplugin
