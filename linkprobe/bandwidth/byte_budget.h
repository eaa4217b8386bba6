// Bytes that a test may still send.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fairlead::linkprobe {

// Never grants more than its limit in sum, to the byte. Pure; not thread-safe.
class ByteBudget {
 public:
  explicit ByteBudget(std::uint64_t limit) : limit_(limit) {}

  // Takes up to `wanted` bytes; how many were granted.
  std::uint64_t Take(std::uint64_t wanted) {
    const std::uint64_t granted = std::min(wanted, left());
    spent_ += granted;
    return granted;
  }

  // Gives back what was taken and could not be sent.
  void Return(std::uint64_t granted) { spent_ -= std::min(granted, spent_); }

  std::uint64_t spent() const { return spent_; }
  std::uint64_t left() const { return limit_ - spent_; }

 private:
  std::uint64_t limit_;
  std::uint64_t spent_ = 0;
};

}  // namespace fairlead::linkprobe
