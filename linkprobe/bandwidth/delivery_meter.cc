#include "linkprobe/bandwidth/delivery_meter.h"

#include <algorithm>

namespace fairlead::linkprobe {

void DeliveryMeter::Add(MonotonicTime at, std::uint64_t bytes) {
  if (!points_.empty()) at = std::max(at, points_.back().at);
  total_ += bytes;
  if (!points_.empty() && points_.back().at == at) {
    points_.back().total = total_;
  } else {
    points_.push_back({at, total_});
  }
  for (; points_.front().at < at - keep_; points_.pop_front()) before_ = points_.front().total;
}

std::uint64_t DeliveryMeter::TotalAt(MonotonicTime at) const {
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), at,
                       [](MonotonicTime time, const Point& point) { return time < point.at; });
  return after == points_.begin() ? before_ : std::prev(after)->total;
}

std::uint64_t DeliveryMeter::Bytes(MonotonicTime from, MonotonicTime to) const {
  return to <= from ? 0 : TotalAt(to) - TotalAt(from);
}

double DeliveryMeter::Rate(MonotonicTime from, MonotonicTime to) const {
  if (to <= from) return 0;
  return static_cast<double>(Bytes(from, to)) * 1e9 / static_cast<double>((to - from).count());
}

}  // namespace fairlead::linkprobe
