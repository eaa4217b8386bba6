// What is known of the lines from this node's site to the others.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

enum class RttSource {
  kGiven,     // by who asked
  kMeasured,  // by this node's linkprobe
  kFloor,     // no less is possible over fibre; the true one is longer
};

struct LineFacts {
  std::string peer;                               // the other site
  Known<std::uint64_t> capacity_bits_per_second;  // declared
  Known<Nanoseconds> rtt;
  RttSource rtt_source = RttSource::kFloor;
  std::optional<Nanoseconds> rtt_age;  // where it is known how long ago it was measured
  // 95 % bounds of the loss ratio of linkprobe's probes, in the worse direction.
  std::optional<std::pair<double, double>> loss;
  std::optional<Nanoseconds> floor;  // of light in fibre between the two sites' coordinates
};

// What linkprobe finds not to be alike at both ends of a path that it probes from this node.
struct PeerDifference {
  std::string trait;  // linkprobe's word: "roce_version", "path_mtu", "traffic_class_forward" ...
  std::string here;
  std::string there;
  std::string peer;  // a node
  std::string site;  // its site

  auto operator<=>(const PeerDifference&) const = default;
};

// A port on which linkprobe sees packets sent again that had arrived.
struct ResendingPort {
  std::string device;
  std::uint32_t port = 1;
  std::string cause;  // linkprobe's word: "adaptive_timer", "peers"

  bool operator==(const ResendingPort&) const = default;
};

struct SiteLines {
  std::string site;
  std::vector<LineFacts> lines;  // to each other site that is known, by name
};

}  // namespace fairlead::deviceplugin
