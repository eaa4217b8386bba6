// The lines of this node's site.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/config/config.h"
#include "deviceplugin/doctor/line_facts.h"

namespace fairlead::deviceplugin {

struct KnownRtt {
  Nanoseconds rtt{};
  RttSource source = RttSource::kGiven;
  // The rest as linkprobe tells it, where it does.
  std::optional<Nanoseconds> age{};
  std::optional<std::pair<double, double>> loss{};
  std::optional<std::uint64_t> capacity_bits_per_second{};  // where the configuration has none
};

// What is known of where the node is.
struct Whereabouts {
  std::string site;                      // empty: not known
  std::map<std::string, KnownRtt> rtts;  // by the other site
  Known<std::vector<PeerDifference>> differences =
      Known<std::vector<PeerDifference>>::Not("no linkprobe answers on this host");
  std::vector<ResendingPort> resending{};
};

// Those that the configuration declares between `site` and others, those to sites with an RTT, and
// those to sites that have coordinates, as has this one. Where no RTT is known the fibre floor
// stands in. Not known without a site. Pure.
Known<SiteLines> LinesFrom(const Config& config, const Whereabouts& whereabouts);

// "sg=36ms,tyo=48ms". kInvalidArgument names the part that is wrong. Pure.
Result<std::map<std::string, Nanoseconds>> ParseRtts(const std::string& text);

}  // namespace fairlead::deviceplugin
