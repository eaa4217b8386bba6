// Labels for node-feature-discovery's local source.
#pragma once

#include <span>
#include <string>

#include "deviceplugin/health/health_book.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// The feature file's text, a `name=value` a line, sorted: how many HCAs there are and are healthy,
// which protocols and drivers, the fastest rate in Gb/s, the network namespace mode. Values are
// valid label values. NFD reads it each time it looks. Pure.
std::string FeatureFile(std::span<const WatchedHca> hcas, NetnsMode netns_mode);

}  // namespace fairlead::deviceplugin
