// A made-up history of a cluster: sites, lines that change, gangs that come and go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "extender/cost/communication_profile.h"

namespace fairlead::extender::quality {

struct LineState {
  double rtt_p50_ms = 0;
  double rtt_p99_ms = 0;
  double gigabits = 0;
};

struct LineChange {
  std::size_t a = 0;
  std::size_t b = 0;
  LineState state;
};

struct Arrival {
  std::uint32_t size = 0;
  CommunicationProfile profile;
  std::size_t leaves_after = 0;  // further events
};

using Event = std::variant<LineChange, Arrival>;

struct Trace {
  std::vector<std::string> sites;       // sorted
  std::vector<std::uint32_t> capacity;  // members that fit, by site
  std::vector<LineChange> lines;        // at the start, every pair once
  std::vector<Event> events;
};

struct TraceSettings {
  std::size_t sites = 4;
  std::uint32_t least_capacity = 4;  // of a site
  std::uint32_t most_capacity = 14;
  std::uint32_t most_members = 12;  // of a gang; at least 2
  std::size_t events = 120;
};

// The same for the same seed. A third of the events change a line: a detour, a crowded line,
// jitter, or back to normal.
Trace MakeTrace(const TraceSettings& settings, std::uint32_t seed);

}  // namespace fairlead::extender::quality
