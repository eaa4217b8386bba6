#include "deviceplugin/allocation/device_nodes.h"

#include <algorithm>

namespace fairlead::deviceplugin {

DeviceNode InfinibandNode(const std::string& name) {
  const std::string path = "/dev/infiniband/" + name;
  return {.container_path = path, .host_path = path};
}

std::vector<DeviceNode> NodesOf(const Hca& hca, bool rdma_cm) {
  std::vector<DeviceNode> nodes;
  if (!hca.uverbs.empty()) nodes.push_back(InfinibandNode(hca.uverbs));
  if (rdma_cm) nodes.push_back(InfinibandNode("rdma_cm"));
  SortUnique(nodes);
  return nodes;
}

void SortUnique(std::vector<DeviceNode>& nodes) {
  std::sort(nodes.begin(), nodes.end(), [](const DeviceNode& a, const DeviceNode& b) {
    return a.container_path < b.container_path;
  });
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace fairlead::deviceplugin
