#include "extender/decision/setup.h"

namespace fairlead::extender {

Setup MakeSetup(const Config& config) {
  return {.inventory = Inventory(config.nodes),
          .lines = LineCatalogue(config.sites, config.lines),
          .site_label = config.site_node_label,
          .gang_ttl = config.extender.gang_ttl};
}

}  // namespace fairlead::extender
