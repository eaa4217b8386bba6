// Losses counted, and what they say about the loss ratio.
#pragma once

#include <cstdint>

#include "common/link/link_measurement.h"

namespace fairlead {

// Ratio and 95 % Wilson score interval (Wilson 1927) of `lost` out of `sent`. Nothing sent bounds
// nothing: 0..1. More lost than sent counts as all lost.
LossInterval MakeLossInterval(std::uint64_t lost, std::uint64_t sent);

}  // namespace fairlead
