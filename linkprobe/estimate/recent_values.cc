#include "linkprobe/estimate/recent_values.h"

#include <algorithm>
#include <span>

#include "linkprobe/estimate/quantile.h"

namespace fairlead::linkprobe {

void RecentValues::Add(Nanoseconds value, MonotonicTime at) {
  ring_[added_++ % kMost] = {at, value.count()};
}

std::optional<Nanoseconds> RecentValues::QuantileSince(MonotonicTime from, double q) const {
  std::array<std::int64_t, kMost> values;
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(added_, kMost); ++i) {
    if (ring_[i].at > from) values[count++] = ring_[i].value;
  }
  return Quantile(std::span(values).first(count), q);
}

}  // namespace fairlead::linkprobe
