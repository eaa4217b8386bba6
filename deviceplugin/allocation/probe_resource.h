// What linkprobe asks for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "deviceplugin/allocation/offered_ids.h"

namespace fairlead::deviceplugin {

// Always offered and always healthy, also without HCAs, so that linkprobe is admitted on every node
// and needs neither privilege nor a host path. Sixteen ids: one probe to a node, and those that are
// still ending. Grants every uverbs node and rdma_cm, and sets no variable.
class ProbeResource final : public Resource {
 public:
  explicit ProbeResource(std::vector<DeviceNode> nodes);

  const std::string& name() const override { return ids_.resource(); }
  const std::vector<OfferedDevice>& devices() const override { return ids_.devices(); }
  Result<Grant> Allocate(std::span<const std::string> ids) const override;
  std::vector<std::string> Prefer(const Preference& question) const override;

 private:
  const std::vector<DeviceNode> nodes_;
  OfferedIds ids_;
};

}  // namespace fairlead::deviceplugin
