// A clock that a test sets.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Thread-safe. Both clocks advance together.
class ManualClock final : public Clock {
 public:
  MonotonicTime Now() const override { return MonotonicTime(Nanoseconds(now_.load())); }
  WallTime WallNow() const override {
    return WallTime(Seconds(1'800'000'000) + Nanoseconds(now_.load()));
  }
  void Advance(Nanoseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{Nanoseconds(Seconds(1000)).count()};
};

}  // namespace fairlead::linkprobe
