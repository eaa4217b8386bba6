// The largest of recent values.
#pragma once

#include <deque>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Keeps only values that a later one has not outdone, at most kMost of them.
class RecentMaximum {
 public:
  // `at` does not go back.
  void Add(Nanoseconds value, MonotonicTime at);
  // The largest value of (from, ...]; nothing when there is none. Nothing is forgotten by asking.
  std::optional<Nanoseconds> Since(MonotonicTime from) const;

 private:
  static constexpr std::size_t kMost = 64;

  struct Entry {
    MonotonicTime at;
    Nanoseconds value;
  };
  std::deque<Entry> falling_;
};

}  // namespace fairlead::linkprobe
