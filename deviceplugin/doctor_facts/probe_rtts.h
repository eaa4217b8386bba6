// What this node's linkprobe measures.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "deviceplugin/doctor/line_facts.h"

namespace fairlead::deviceplugin {

struct ProbeRtts {
  std::string site;                         // this node's
  std::map<std::string, Nanoseconds> rtts;  // median, to each other site, of its slowest path
  std::vector<PeerDifference> differences;  // between the ends of its paths; sorted, each once
  std::vector<ResendingPort> resending;
};

// From the metrics of linkprobe in Prometheus' text form. All else is passed over.
// Pure.
ProbeRtts ParseProbeMetrics(std::string_view text);

// Asks linkprobe on this host's loopback for its metrics. Fails where nothing has answered there
// after `patience`.
Result<ProbeRtts> AskProbe(std::uint16_t port, Nanoseconds patience);

}  // namespace fairlead::deviceplugin
