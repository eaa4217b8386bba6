#include "deviceplugin/discovery/read_node.h"

#include "deviceplugin/discovery/netns_mode.h"
#include "deviceplugin/discovery/read_inventory.h"

namespace fairlead::deviceplugin {

NodeInventory ReadNode(const HostFiles& files, const GidPolicy& policy) {
  NodeInventory inventory = ReadInventory(files, policy);
  if (const auto mode = ReadNetnsMode()) inventory.netns_mode = *mode;
  return inventory;
}

}  // namespace fairlead::deviceplugin
