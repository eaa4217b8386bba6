#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

NodeInventory Present(const NodeState& state) {
  NodeInventory present = state.inventory;
  present.hcas.clear();
  for (const WatchedHca& watched : state.watched) {
    if (watched.present) present.hcas.push_back(watched.hca);
  }
  return present;
}

}  // namespace fairlead::deviceplugin
