// What ports carry, from their own counters: the passive tier of bandwidth.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "linkprobe/counters/tracker.h"

namespace fairlead::linkprobe {

// Over the interval before the port was read. Absent where the port has no such counter, or it does
// not tell.
struct PortTraffic {
  std::optional<double> transmit_bytes_per_second;
  std::optional<double> receive_bytes_per_second;
  CounterSource source = CounterSource::kPort;  // of the bytes

  bool known() const { return transmit_bytes_per_second && receive_bytes_per_second; }
};

// The port's own counters before the driver's, these before those of the network interface, whose
// frames are not of RDMA only. Pure.
PortTraffic TrafficOf(const TrackedPort& port);

// All that the ports of this node carried, to whatever place: into its own site, too. So it bounds
// what one line carries, and does not tell it.
struct NodeTraffic {
  double transmit_bytes_per_second = 0;
  double receive_bytes_per_second = 0;
  std::uint32_t ports = 0;  // that the sums are of
  MonotonicTime at{};
  Nanoseconds interval{};  // that the rates are taken over
};

// Sums the ports of each reading. Pure, not thread-safe.
class TrafficMeter {
 public:
  // Nothing while no port tells. Where one that told the last time does not (its counters were
  // reset, its file was not readable), the sum before stays, and grows old, until kKept is over;
  // a port that is gone is missed no longer.
  static constexpr Nanoseconds kKept = Seconds(30);
  std::optional<NodeTraffic> Add(std::span<const TrackedPort> ports, MonotonicTime now);

 private:
  std::map<std::pair<std::string, std::uint32_t>, bool> told_;
  std::optional<NodeTraffic> last_;
};

}  // namespace fairlead::linkprobe
