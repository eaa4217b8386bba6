// Where this node is, and how far from the others.
#pragma once

#include <map>
#include <string>

#include "common/config/config.h"
#include "deviceplugin/doctor_facts/line_reader.h"
#include "deviceplugin/verdicts/heard_lines.h"

namespace fairlead::deviceplugin {

// What who asks knows already.
struct AskedWhereabouts {
  std::string site;
  std::string node_name;  // empty: the host's own
  std::map<std::string, Nanoseconds> rtts;
};

// What is given wins; then what this node's linkprobe says; then, for the site, the configuration's
// list of nodes.
Whereabouts FindWhereabouts(const Config& config, const AskedWhereabouts& asked);

// What linkprobe said over the plugin's own socket and still counts `now`; then, for the site, the
// configuration's list of nodes. Asks nobody. Pure.
Whereabouts HeardWhereabouts(const Config& config, const std::string& node_name,
                             const HeardLines& heard, MonotonicTime now);

// Adds to `out` what was heard of its own site's lines, where it has no RTT. Pure.
void AddHeard(const HeardLines& heard, MonotonicTime now, Whereabouts& out);

}  // namespace fairlead::deviceplugin
