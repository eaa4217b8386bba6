// Which of a prober's sequence numbers have been seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fairlead::linkprobe {

// The newest kSpan sequences as bits; constant memory and constant time per packet, whatever the
// sequence does.
class ReplayWindow {
 public:
  static constexpr std::uint64_t kSpan = 1024;
  static constexpr std::uint64_t kFarthestJump = std::uint64_t{1} << 32;

  enum class Seen { kNew, kNewButBehind, kDuplicate, kTooOld, kTooFarAhead };

  // Judges `sequence` (from 1) and, when it is new, remembers it.
  Seen Check(std::uint64_t sequence);

  // Highest sequence remembered; 0 before the first.
  std::uint64_t highest() const { return highest_; }
  // Bit i: sequence highest() - i was seen.
  std::uint64_t NewestBits() const { return words_[0]; }

 private:
  static constexpr std::size_t kWords = kSpan / 64;

  void ShiftBy(std::uint64_t distance);

  std::uint64_t highest_ = 0;
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace fairlead::linkprobe
