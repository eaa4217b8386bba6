// Sums over the last stretch of time.
#pragma once

#include <deque>
#include <utility>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Of values of a T that has += and begins at its default. Times must not go backwards. Pure, not
// thread-safe.
template <class T>
class RecentSum {
 public:
  explicit RecentSum(Nanoseconds span) : span_(span) {}

  void Add(MonotonicTime at, T value) { values_.push_back({at, std::move(value)}); }

  // Of what is at most `span` old; that which is older is forgotten.
  T At(MonotonicTime now) {
    while (!values_.empty() && now - values_.front().first > span_) values_.pop_front();
    T sum{};
    for (const auto& [at, value] : values_) sum += value;
    return sum;
  }
  bool empty() const { return values_.empty(); }

 private:
  Nanoseconds span_;
  std::deque<std::pair<MonotonicTime, T>> values_;
};

}  // namespace fairlead::linkprobe
