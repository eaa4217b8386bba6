#include "deviceplugin/cdi/cdi_spec.h"

#include <nlohmann/json.hpp>

namespace fairlead::deviceplugin {

std::string CdiSpec(std::string_view kind, const std::vector<CdiDevice>& devices) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const CdiDevice& device : devices) {
    Json nodes = Json::array();
    for (const DeviceNode& node : device.nodes) {
      nodes.push_back({{"path", node.container_path},
                       {"hostPath", node.host_path},
                       {"permissions", node.permissions}});
    }
    list.push_back({{"name", device.name}, {"containerEdits", {{"deviceNodes", nodes}}}});
  }
  const Json spec{{"cdiVersion", "0.5.0"}, {"kind", kind}, {"devices", list}};
  return spec.dump(2) + "\n";
}

std::string CdiName(std::string_view kind, std::string_view device) {
  return std::string(kind) + "=" + std::string(device);
}

}  // namespace fairlead::deviceplugin
