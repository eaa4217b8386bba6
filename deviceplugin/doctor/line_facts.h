// What is known of the lines from this node's site to the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  std::optional<Nanoseconds> floor;  // of light in fibre between the two sites' coordinates
};

struct SiteLines {
  std::string site;
  std::vector<LineFacts> lines;  // to each other site that is known, by name
};

}  // namespace fairlead::deviceplugin
