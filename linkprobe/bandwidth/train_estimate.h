// What the spacing of packets that were sent back to back says about a line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// One packet of a train as it arrived.
struct TrainArrival {
  std::uint32_t index = 0;  // its place in the train
  std::int64_t at_ns = 0;   // the receiver's clock
};

// Frame bytes per second at which one train left the narrowest part of its way: what came after the
// first packet, over the time from first to last. A part of the line that is full serves without a
// pause, so packets it dropped change nothing. Nothing below 8 arrivals, or where they span no
// time. Arrivals in any order, copies counted once. Pure.
std::optional<double> TrainRate(std::span<const TrainArrival> arrivals, std::uint32_t frame_bytes);

struct TrainEstimate {
  double bytes_per_second = 0;  // median of the trains: capacity, whatever else is on the line
  double lower_quartile = 0;
  double upper_quartile = 0;
  std::uint32_t trains = 0;
};

inline constexpr std::uint32_t kLeastTrains = 10;

// Nothing below kLeastTrains rates: one train alone may have met other traffic, or a stalled host.
std::optional<TrainEstimate> EstimateFromTrains(std::vector<double> rates);

// How many packets the next train should have, between 16 and what `most_bytes` allow: so many that
// the train spans at least `wanted_span`, by the newest rate known.
std::uint32_t NextTrainLength(std::optional<double> bytes_per_second, std::uint32_t frame_bytes,
                              Nanoseconds wanted_span, std::uint64_t most_bytes);

}  // namespace fairlead::linkprobe
