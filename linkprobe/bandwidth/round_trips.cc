#include "linkprobe/bandwidth/round_trips.h"

#include <algorithm>
#include <vector>

namespace fairlead::linkprobe {
namespace {

// Probes are sent at uneven times, up to half as far again apart, and one may be lost.
constexpr int kOverdueGaps = 3;

}  // namespace

void RoundTrips::Add(MonotonicTime at, Nanoseconds rtt) {
  samples_.push_back({at, rtt});
  if (samples_.size() > capacity_) samples_.pop_front();
}

std::optional<Nanoseconds> RoundTrips::Median(MonotonicTime from, std::size_t least) const {
  std::vector<Nanoseconds> values;
  for (const Sample& sample : samples_) {
    if (sample.at > from) values.push_back(sample.rtt);
  }
  if (values.empty() || values.size() < least) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<Nanoseconds> RoundTrips::NowAtLeast(MonotonicTime now, std::size_t count,
                                                  Nanoseconds gap) const {
  if (count == 0 || samples_.size() < count) return std::nullopt;
  std::vector<Nanoseconds> values;
  for (std::size_t i = samples_.size() - count; i < samples_.size(); ++i) {
    values.push_back(samples_[i].rtt);
  }
  std::sort(values.begin(), values.end());
  const Sample& newest = samples_.back();
  return std::max(values[count / 2], newest.rtt + (now - newest.at) - kOverdueGaps * gap);
}

Nanoseconds RoundTrips::Spread(MonotonicTime from) const {
  std::vector<Nanoseconds> values;
  for (const Sample& sample : samples_) {
    if (sample.at > from) values.push_back(sample.rtt);
  }
  if (values.size() < 3) return {};
  std::sort(values.begin(), values.end());
  return values[values.size() - 2] - values.front();
}

std::optional<Nanoseconds> RoundTrips::MeanGap() const {
  if (samples_.size() < 2) return std::nullopt;
  return (samples_.back().at - samples_.front().at) /
         static_cast<std::int64_t>(samples_.size() - 1);
}

}  // namespace fairlead::linkprobe
