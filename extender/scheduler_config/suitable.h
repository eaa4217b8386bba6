// What suits most clusters, for the check and for what is printed.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::extender {

// A call that takes longer holds up every pod; one cut off earlier is late at thousands of nodes.
inline constexpr Nanoseconds kShortestTimeout = Milliseconds(50);
inline constexpr Nanoseconds kLongestTimeout = Seconds(1);

// A site twice as slow has 3.3 points of 10 less, each of which counts weight x 10; one default
// plugin of weight 1 has 100.
inline constexpr std::int64_t kLeastWeight = 3;
inline constexpr std::int64_t kMostWeight = 100;

}  // namespace fairlead::extender
