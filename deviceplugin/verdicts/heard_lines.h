// What linkprobe has said of the lines of this node's site, for as long as it counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::deviceplugin {

// Of the line to one other site.
struct HeardLine {
  std::string peer;
  Nanoseconds rtt{};   // median, of the slowest path
  MonotonicTime at{};  // when its newest probe was answered
  // 95 % bounds of the loss ratio of probes, in the worse direction.
  std::optional<std::pair<double, double>> loss{};
  std::optional<std::uint64_t> capacity_bits_per_second{};  // as declared to linkprobe

  bool operator==(const HeardLine&) const = default;
};

struct HeardLines {
  std::string site;              // this node's; empty: linkprobe does not know it, or was not heard
  std::vector<HeardLine> lines;  // one for each other site, by name

  bool operator==(const HeardLines&) const = default;
};

// A line's facts count for so long after they were measured: a line does not become another one
// while linkprobe is restarted, as a NIC may.
inline constexpr Nanoseconds kHeardLineLife = Seconds(600);

// As many as a message has. Others are forgotten, so that names that change all the time, as no
// probe's do, take no memory.
inline constexpr std::size_t kMostHeardLines = 64;

// Those of `before` that are not stale, with the ones of `message` in place of the same sites', and
// of `before` no more than make kMostHeardLines. Another own site, which makes the lines others,
// leaves nothing of `before`; one that linkprobe does not know yet takes nothing back. Pure.
HeardLines Merge(const HeardLines& before, HeardLines message, MonotonicTime now);

// Those that are not stale. Pure.
HeardLines FreshLines(const HeardLines& heard, MonotonicTime now);

}  // namespace fairlead::deviceplugin
