// The standard error of a statistic of a series whose neighbours hang together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace fairlead::linkprobe {

// A statistic of the chosen members of a series, some of them more than once. May keep scratch.
using IndexStatistic = std::function<double(std::span<const std::size_t>)>;

// Standard deviation of `statistic` over resamples of a series of `size` members, made of circular
// blocks of `block` neighbours (Politis and Romano 1992), which tells its standard error. The same
// seed gives the same value. 0 for an empty series.
double BootstrapError(std::size_t size, std::size_t block, std::uint64_t seed,
                      const IndexStatistic& statistic);

}  // namespace fairlead::linkprobe
