// What one probe reported about its paths, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "extender/link/line_rate.h"
#include "extender/link/port_loss.h"
#include "extender/link/site_traffic.h"

namespace fairlead::extender {

// One path from the reporting node to a peer.
struct PathReport {
  std::string peer_node;
  std::string peer_site;
  std::uint32_t path = 0;
  std::uint32_t traffic_class = 0;
  LinkMeasurement measurement;
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  Nanoseconds state_age{};  // how long the state has stood
  std::string evidence;     // one sentence with the numbers behind the state
  std::optional<double> available_bytes_per_second;  // measured, what others use already removed
  std::vector<CapacityTest> tests{};                 // of the line to the peer's site
};

// All paths of one node at one moment.
struct PathReportBatch {
  std::string node;
  std::string site;
  std::uint64_t sequence = 0;   // grows with each batch of a stream
  WallTime sent_at{};           // the node's own clock; must advance within a stream
  MonotonicTime received_at{};  // this host's clock; what ages are counted from
  std::vector<PathReport> paths;
  std::optional<NodeTraffic> traffic{};
  std::vector<PortLoss> losses{};
};

}  // namespace fairlead::extender
