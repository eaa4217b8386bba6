// The newest reports of one node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/link/path_report.h"
#include "extender/link/port_loss.h"
#include "extender/link/site_traffic.h"

namespace fairlead::extender {

struct NodeRows {
  std::string site;
  MonotonicTime received_at{};
  // Of the stream that is open; absent until its first batch.
  std::optional<std::uint64_t> last_sequence;
  std::optional<WallTime> last_sent_at;
  std::optional<NodeTraffic> traffic;
  std::vector<PortLoss> losses;
  std::vector<PathReport> paths;  // sorted by peer node, path, traffic class
};

}  // namespace fairlead::extender
