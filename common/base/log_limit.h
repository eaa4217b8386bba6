// For a line of the log that others could cause thousands of times.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "common/base/clock.h"

namespace fairlead {

// Lets `most` lines through in each stretch of time, which begins with its first line. Thread-safe.
class LogLimit {
 public:
  LogLimit(std::uint64_t most, Nanoseconds stretch) : most_(most), stretch_(stretch) {}

  // How many lines were held back since the last one that was let through; nothing where this one
  // is held back too. `now` is that of one clock.
  std::optional<std::uint64_t> Pass(MonotonicTime now) {
    std::lock_guard lock(mutex_);
    if (!begin_ || now - *begin_ >= stretch_) {
      begin_ = now;
      passed_ = 0;
    }
    if (passed_ == most_) {
      ++held_back_;
      return std::nullopt;
    }
    ++passed_;
    const std::uint64_t held_back = held_back_;
    held_back_ = 0;
    return held_back;
  }

 private:
  const std::uint64_t most_;
  const Nanoseconds stretch_;
  std::mutex mutex_;
  std::optional<MonotonicTime> begin_;
  std::uint64_t passed_ = 0;
  std::uint64_t held_back_ = 0;
};

}  // namespace fairlead
