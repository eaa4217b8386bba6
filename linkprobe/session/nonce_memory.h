// Which nonces have been used.
#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <utility>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Remembers each nonce for as long as its message would be accepted by its time. Bounded: when full
// of young nonces it refuses more, since a forgotten nonce could be replayed. Pure; not
// thread-safe.
class NonceMemory {
 public:
  NonceMemory(Nanoseconds keep, std::size_t capacity) : keep_(keep), capacity_(capacity) {}

  enum class Answer { kFresh, kUsed, kFull };
  // Remembers the nonce when it is fresh.
  Answer Use(const std::string& nonce, MonotonicTime now);

 private:
  Nanoseconds keep_;
  std::size_t capacity_;
  std::set<std::string> seen_;
  std::deque<std::pair<MonotonicTime, std::string>> by_age_;
};

}  // namespace fairlead::linkprobe
