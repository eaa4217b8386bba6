#include "extender/link/site_traffic.h"

#include <algorithm>

namespace fairlead::extender {

void AddTraffic(const NodeTraffic& node, std::string_view site, Nanoseconds age,
                TrafficBySite& to) {
  SiteTraffic& sum = to[std::string(site)];
  sum.transmit_bytes_per_second += node.transmit_bytes_per_second;
  sum.receive_bytes_per_second += node.receive_bytes_per_second;
  sum.age = std::max(sum.age, age);
  ++sum.nodes;
}

std::optional<LineUse> UseOfLine(const TrafficBySite& traffic, std::string_view from_site,
                                 std::string_view to_site) {
  const auto from = traffic.find(from_site);
  const auto to = traffic.find(to_site);
  if (from_site == to_site || from == traffic.end() || to == traffic.end()) return std::nullopt;
  return LineUse{.bytes_per_second = std::min(from->second.transmit_bytes_per_second,
                                              to->second.receive_bytes_per_second),
                 .nodes = from->second.nodes + to->second.nodes,
                 .age = std::max(from->second.age, to->second.age)};
}

}  // namespace fairlead::extender
