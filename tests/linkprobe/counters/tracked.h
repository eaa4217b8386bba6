// Tracked ports for tests of what is made of them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "linkprobe/counters/tracker.h"

namespace fairlead::linkprobe {

struct Count {
  CounterSource source;
  std::string name;
  std::optional<std::uint64_t> counted;
};

// A port whose counters counted so much in the last second.
inline TrackedPort Tracked(const std::vector<Count>& counts, std::string device = "mlx5_0") {
  TrackedPort port{.device = std::move(device), .port = 1, .interval = Seconds(1)};
  for (const Count& count : counts) {
    port.counters.push_back({.source = count.source,
                             .name = count.name,
                             .meaning = MeaningOf(count.source, count.name).value(),
                             .counted = count.counted});
  }
  std::sort(port.counters.begin(), port.counters.end(),
            [](const TrackedCounter& a, const TrackedCounter& b) {
              return std::tie(a.source, a.name) < std::tie(b.source, b.name);
            });
  return port;
}

inline Count PortCount(std::string name, std::optional<std::uint64_t> counted) {
  return {CounterSource::kPort, std::move(name), counted};
}
inline Count HardwareCount(std::string name, std::optional<std::uint64_t> counted) {
  return {CounterSource::kHardware, std::move(name), counted};
}

}  // namespace fairlead::linkprobe
