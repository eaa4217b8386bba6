#include "deviceplugin/discovery/read_node.h"

#include "deviceplugin/discovery/netns_mode.h"
#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/discovery/rooted_files.h"

namespace fairlead::deviceplugin {

NodeInventory ReadNode(const std::string& root, const GidPolicy& policy) {
  NodeInventory inventory = ReadInventory(RootedFiles(root), policy);
  if (const auto mode = ReadNetnsMode()) inventory.netns_mode = *mode;
  return inventory;
}

}  // namespace fairlead::deviceplugin
