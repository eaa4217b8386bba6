// A resource for tests of what kubelet sees.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// Grants one node and one variable for each id it has; throws where an id is "throw". With
// `pre_start` its grants have settings for later.
class FakeResource final : public Resource {
 public:
  FakeResource(std::string name, std::vector<OfferedDevice> devices, bool pre_start = false)
      : name_(std::move(name)), devices_(std::move(devices)), pre_start_(pre_start) {}

  const std::string& name() const override { return name_; }
  const std::vector<OfferedDevice>& devices() const override { return devices_; }
  bool wants_pre_start() const override { return pre_start_; }

  Result<Grant> Allocate(std::span<const std::string> ids) const override {
    Grant grant;
    for (const std::string& id : ids) {
      if (id == "throw") throw std::runtime_error("a fault");
      if (!Has(id)) return Fail(ErrorCode::kNotFound, "no device " + id);
      grant.nodes.push_back({.container_path = "/dev/" + id, .host_path = "/dev/" + id});
      grant.env["HCA"] += id + ",";
    }
    grant.mounts.push_back({.container_path = "/etc/x", .host_path = "/run/x"});
    grant.cdi_devices.push_back("fairlead.dev/hca=" + ids.front());
    if (pre_start_) grant.nccl.emplace();
    return grant;
  }

  std::vector<std::string> Prefer(const Preference& question) const override {
    if (question.size == 13) throw std::runtime_error("a fault");
    std::vector<std::string> chosen = question.must_include;
    for (const std::string& id : question.available) {
      if (chosen.size() < question.size) chosen.push_back(id);
    }
    return chosen;
  }

 private:
  bool Has(const std::string& id) const {
    for (const OfferedDevice& device : devices_) {
      if (device.id == id) return true;
    }
    return false;
  }

  std::string name_;
  std::vector<OfferedDevice> devices_;
  bool pre_start_;
};

inline std::shared_ptr<const Resource> MakeFake(std::string name,
                                                std::vector<OfferedDevice> devices,
                                                bool pre_start = false) {
  return std::make_shared<const FakeResource>(std::move(name), std::move(devices), pre_start);
}

inline OfferedDevice Device(std::string id, bool healthy = true,
                            std::vector<std::int64_t> numa_nodes = {}) {
  return {.id = std::move(id), .healthy = healthy, .numa_nodes = std::move(numa_nodes)};
}

}  // namespace fairlead::deviceplugin
