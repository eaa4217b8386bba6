// What is thought of each port over the last minute.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "linkprobe/counters/fused_loss.h"
#include "linkprobe/counters/recent_sum.h"
#include "linkprobe/counters/retransmission.h"
#include "linkprobe/counters/tracker.h"
#include "linkprobe/counters/traffic.h"
#include "linkprobe/counters/transport_loss.h"

namespace fairlead::linkprobe {

// What the probes that pass one port have found: all its paths together.
struct ProbedPort {
  std::string device;
  std::uint32_t port = 1;
  std::optional<LossInterval> forward{};  // from this port
  std::optional<LossInterval> reverse{};
  std::optional<Nanoseconds> rtt{};  // the longest of its paths' medians
};

struct DirectionLoss {
  std::optional<LossInterval> transport{};
  std::uint64_t possible = 0;  // events that make up the transport's upper end beyond the proven
  std::optional<FusedLoss> fused{};
};

struct PortOpinion {
  std::string device;
  std::uint32_t port = 1;
  PortTraffic traffic{};
  DirectionLoss transmit{};
  DirectionLoss receive{};
  RetransmissionFinding retransmission{};
};

// Pure, not thread-safe.
class PortBook {
 public:
  static constexpr Nanoseconds kWindow = Seconds(60);

  // One opinion for each port, in their order. A port that is gone is forgotten; what one of its
  // counters did not tell is left out of all sums together.
  std::vector<PortOpinion> Add(std::span<const TrackedPort> ports,
                               std::span<const ProbedPort> probed, MonotonicTime now);

 private:
  struct Page {
    RecentSum<LossEvents> transmit{kWindow};
    RecentSum<LossEvents> receive{kWindow};
    RecentSum<Retransmissions> retransmissions{kWindow};
  };

  std::map<std::pair<std::string, std::uint32_t>, Page> pages_;
};

}  // namespace fairlead::linkprobe
