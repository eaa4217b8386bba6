#include "linkprobe/estimate/recent_maximum.h"

namespace fairlead::linkprobe {

void RecentMaximum::Add(Nanoseconds value, MonotonicTime at) {
  while (!falling_.empty() && falling_.back().value <= value) falling_.pop_back();
  falling_.push_back({at, value});
  if (falling_.size() > kMost) falling_.pop_front();
}

std::optional<Nanoseconds> RecentMaximum::Since(MonotonicTime from) const {
  for (const Entry& entry : falling_) {
    if (entry.at > from) return entry.value;
  }
  return std::nullopt;
}

}  // namespace fairlead::linkprobe
