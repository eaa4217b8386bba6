// Order statistics of a handful of values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// The nearest-rank quantile, 0 <= q <= 1, in nanoseconds; nothing of nothing. Reorders `values`.
std::optional<Nanoseconds> Quantile(std::span<std::int64_t> values, double q);

// p90 - p10: what every packet meets, without the one in ten that a stalled host or a heavy tail
// delays. Nothing below five values, of which these quantiles would be the extremes. Reorders
// `values`.
std::optional<Nanoseconds> Spread(std::span<std::int64_t> values);

}  // namespace fairlead::linkprobe
