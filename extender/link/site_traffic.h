// What the nodes of a site carry, by the counters of their ports.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::extender {

// Of one node, to and from wherever. A passive measurement: nothing was sent for it.
struct NodeTraffic {
  double transmit_bytes_per_second = 0;
  double receive_bytes_per_second = 0;
  Nanoseconds age{};  // of the counters when this was received
};

struct SiteTraffic {
  double transmit_bytes_per_second = 0;
  double receive_bytes_per_second = 0;
  std::uint32_t nodes = 0;
  Nanoseconds age{};  // of the oldest counters
};

using TrafficBySite = std::map<std::string, SiteTraffic, std::less<>>;

// Adds a node's, whose counters are `age` old by now.
void AddTraffic(const NodeTraffic& node, std::string_view site, Nanoseconds age, TrafficBySite& to);

// How much of a line is used at most.
struct LineUse {
  double bytes_per_second = 0;
  std::uint32_t nodes = 0;  // at both ends, that this is known from
  Nanoseconds age{};
};

// A line carries no more than the nodes at its one end send and no more than those at its other end
// receive, so the smaller of the two; they also send to third sites and within their own, so it may
// be less. Absent unless both ends tell, and for a site's own inside. Pure.
std::optional<LineUse> UseOfLine(const TrafficBySite& traffic, std::string_view from_site,
                                 std::string_view to_site);

}  // namespace fairlead::extender
