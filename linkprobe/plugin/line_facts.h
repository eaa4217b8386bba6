// What this node's probes say of the lines of its site, for the device plugin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/link/link_measurement.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// Of the line to one other site.
struct LineFact {
  std::string peer_site;
  Nanoseconds rtt{};                   // median, of the slowest path that has one
  MonotonicTime at{};                  // when its newest probe was answered
  std::optional<LossInterval> loss{};  // of the direction and path with the highest lower bound
  std::optional<std::uint64_t> capacity_bits_per_second{};  // declared, if it is
};

struct LinesOfSite {
  std::string site;             // this node's; empty: not known
  std::vector<LineFact> lines;  // by the other site's name
};

// One for each other site that has answered. None while the own site is not known, since then no
// site is another. Pure.
LinesOfSite LinesOf(std::span<const std::shared_ptr<const EngineSnapshot>> engines,
                    const std::string& site, std::span<const LineConfig> declared);

// Adds what others measure of lines to sites that the node has no answer from itself. Pure.
void AddPlannedLines(std::span<const PlannedLine> planned, LinesOfSite& lines);

}  // namespace fairlead::linkprobe
