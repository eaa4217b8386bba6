#include "deviceplugin/kubelet/messages.h"

#include <algorithm>

namespace fairlead::deviceplugin {

::v1beta1::ListAndWatchResponse EncodeDevices(const std::vector<OfferedDevice>& devices) {
  ::v1beta1::ListAndWatchResponse list;
  for (const OfferedDevice& device : devices) {
    ::v1beta1::Device& out = *list.add_devices();
    out.set_id(device.id);
    out.set_health(device.healthy ? "Healthy" : "Unhealthy");
    for (const std::int64_t node : device.numa_nodes) {
      if (node >= 0) out.mutable_topology()->add_nodes()->set_id(node);
    }
  }
  return list;
}

::v1beta1::ContainerAllocateResponse EncodeGrant(const Grant& grant) {
  ::v1beta1::ContainerAllocateResponse response;
  for (const auto& [name, value] : grant.env) (*response.mutable_envs())[name] = value;
  for (const BindMount& mount : grant.mounts) {
    ::v1beta1::Mount& out = *response.add_mounts();
    out.set_container_path(mount.container_path);
    out.set_host_path(mount.host_path);
    out.set_read_only(mount.read_only);
  }
  for (const DeviceNode& node : grant.nodes) {
    ::v1beta1::DeviceSpec& out = *response.add_devices();
    out.set_container_path(node.container_path);
    out.set_host_path(node.host_path);
    out.set_permissions(node.permissions);
  }
  for (const std::string& name : grant.cdi_devices) response.add_cdi_devices()->set_name(name);
  return response;
}

Preference DecodePreference(const ::v1beta1::ContainerPreferredAllocationRequest& request) {
  const auto& available = request.available_deviceids();
  const auto& must_include = request.must_include_deviceids();
  return {.available = {available.begin(), available.end()},
          .must_include = {must_include.begin(), must_include.end()},
          .size = static_cast<std::size_t>(std::max(0, request.allocation_size()))};
}

}  // namespace fairlead::deviceplugin
