// Where this node is, and how far from the others.
#pragma once

#include <map>
#include <string>

#include "common/config/config.h"
#include "deviceplugin/doctor_facts/line_reader.h"

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

}  // namespace fairlead::deviceplugin
