// One answered probe as numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// The six stamps of one exchange, nanoseconds: T1, T2, T5, T6 on the prober, T3, T4 on the
// responder. T2 is T1 where the departure was not stamped.
struct SixStamps {
  std::int64_t t1 = 0;
  std::int64_t t2 = 0;
  std::int64_t t3 = 0;
  std::int64_t t4 = 0;
  std::int64_t t5 = 0;
  std::int64_t t6 = 0;
};

// Delays in nanoseconds. The one-way values contain the unknown offset between the two clocks;
// only their differences mean anything.
struct Delays {
  std::int64_t rtt = 0;              // (T5 - T2) - (T4 - T3)
  std::int64_t forward = 0;          // T3 - T2
  std::int64_t reverse = 0;          // T5 - T4
  std::int64_t prober_delay = 0;     // (T6 - T1) - (T5 - T2), not below 0
  std::int64_t responder_delay = 0;  // T4 - T3
};

// Nothing when the stamps contradict each other: T4 before T3, T5 before T2, an RTT that is not
// positive, an absence of over an hour, or clocks further than 73 years apart.
std::optional<Delays> ComputeDelays(const SixStamps& stamps);

}  // namespace fairlead::linkprobe
