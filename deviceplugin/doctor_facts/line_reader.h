// The lines of this node's site.
#pragma once

#include <map>
#include <string>

#include "common/config/config.h"
#include "deviceplugin/doctor/line_facts.h"

namespace fairlead::deviceplugin {

struct KnownRtt {
  Nanoseconds rtt{};
  RttSource source = RttSource::kGiven;
};

// What is known of where the node is.
struct Whereabouts {
  std::string site;                      // empty: not known
  std::map<std::string, KnownRtt> rtts;  // by the other site
};

// Those that the configuration declares between `site` and others, those to sites with an RTT, and
// those to sites that have coordinates, as has this one. Where no RTT is known the fibre floor
// stands in. Not known without a site. Pure.
Known<SiteLines> LinesFrom(const Config& config, const Whereabouts& whereabouts);

// "sg=36ms,tyo=48ms". kInvalidArgument names the part that is wrong. Pure.
Result<std::map<std::string, Nanoseconds>> ParseRtts(const std::string& text);

}  // namespace fairlead::deviceplugin
