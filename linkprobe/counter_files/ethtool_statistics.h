// What a network interface's driver counts.
#pragma once

#include <string>
#include <vector>

#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

// Those of the statistics (ETHTOOL_GSTATS) that have a meaning here, which are the pause frames;
// empty where the interface is not there, has none, or may not be asked. Asks the device's
// firmware, which takes some drivers milliseconds.
std::vector<CounterValue> ReadEthtoolStatistics(const std::string& netdev);

}  // namespace fairlead::linkprobe
