// `extender.bandwidth`: when lines are tested, and what that may cost.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead {

// All bytes are of one line, both directions together. All of it is live.
struct BandwidthConfig {
  bool trains = true;       // dispersion trains: some megabytes that show a line's capacity
  bool saturation = false;  // RDMA writes that fill the line for some seconds
  // The least time from one test of a direction to its next of that kind.
  Nanoseconds train_interval = Seconds(3600);
  Nanoseconds saturation_interval = Seconds(6 * 3600);
  double most_use = 0.2;  // a line of which a larger share is in use is left alone
  std::uint64_t bytes_per_day = 20'000'000'000;
  std::uint64_t saturation_bytes = 4'000'000'000;  // of one test

  bool operator==(const BandwidthConfig&) const = default;
};

// What a lease of trains allows: three times the ten that count, each of 1 MB.
inline constexpr std::uint64_t kTrainLeaseBytes = 30'000'000;

}  // namespace fairlead
