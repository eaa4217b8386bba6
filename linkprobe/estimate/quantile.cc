#include "linkprobe/estimate/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fairlead::linkprobe {

std::optional<Nanoseconds> Quantile(std::span<std::int64_t> values, double q) {
  if (values.empty()) return std::nullopt;
  const double rank = std::ceil(q * static_cast<double>(values.size()));
  const auto index = static_cast<std::ptrdiff_t>(
      std::clamp(rank - 1, 0.0, static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return Nanoseconds(values[static_cast<std::size_t>(index)]);
}

std::optional<Nanoseconds> Spread(std::span<std::int64_t> values) {
  if (values.size() < 5) return std::nullopt;
  return *Quantile(values, 0.9) - *Quantile(values, 0.1);
}

}  // namespace fairlead::linkprobe
