#include "deviceplugin/allocation/probe_resource.h"

#include <cstdint>
#include <utility>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/allocation/preference.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kIds = 16;

}  // namespace

ProbeResource::ProbeResource(std::vector<DeviceNode> nodes)
    : nodes_(std::move(nodes)), ids_(kProbeResource) {
  for (std::uint32_t i = 0; i < kIds; ++i) ids_.Add({SlotId("probe", i), true, {}}, 0);
}

Result<Grant> ProbeResource::Allocate(std::span<const std::string> ids) const {
  if (const auto things = ids_.Things(ids); !things) return Fail(things.error());
  Grant grant;
  grant.nodes = nodes_;
  return grant;
}

std::vector<std::string> ProbeResource::Prefer(const Preference& question) const {
  return Choose(question, ids_, Closeness{.between = {{PciDistance::kSame}}, .to_gpu = {}});
}

}  // namespace fairlead::deviceplugin
