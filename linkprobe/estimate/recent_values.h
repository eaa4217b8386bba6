// The newest values of something, and their quantiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Of a host's wake-ups, this quantile tells how busy it is. One late wake-up touches one probe; a
// busy host is late whenever it waits for time to pass, which some of its wake-ups do.
inline constexpr double kUsualLateness = 0.9;

// Keeps the newest kMost values.
class RecentValues {
 public:
  static constexpr std::size_t kMost = 128;

  void Add(Nanoseconds value, MonotonicTime at);
  // The nearest-rank quantile of the values added after `from`; nothing when there is none.
  std::optional<Nanoseconds> QuantileSince(MonotonicTime from, double q) const;

 private:
  struct Entry {
    MonotonicTime at;
    std::int64_t value;
  };
  std::array<Entry, kMost> ring_{};
  std::size_t added_ = 0;
};

}  // namespace fairlead::linkprobe
