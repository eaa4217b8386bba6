// What the last windows were like, one byte a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairlead::linkprobe {

// Marks of one window. A window that is not judged (host noise, no answers) has neither the bad nor
// the good marks.
enum WindowMark : std::uint8_t {
  kAnsweredWindow = 1,   // had samples
  kHighWindow = 2,       // p50 above the band
  kLowWindow = 4,        // p50 below it
  kInsideWindow = 8,     // p50 inside half the band
  kUnsteadyWindow = 16,  // spread above its threshold
  kSteadyWindow = 32,    // spread within it
  kNoisyWindow = 64,     // this host or the peer's was busy
};

// Steps are a fraction of a window apart and windows overlap; counting takes every stride-th step
// back from the newest, so that the windows counted do not overlap.
class WindowHistory {
 public:
  WindowHistory(std::uint32_t windows, std::uint32_t stride);

  void Push(std::uint8_t marks);
  // How many of the last `windows` windows carry all of `marks`.
  std::uint32_t Count(std::uint8_t marks) const;
  std::uint32_t windows() const { return windows_; }

  // Keeps the newest.
  void Resize(std::uint32_t windows);
  void Clear();

 private:
  std::uint32_t windows_;
  std::uint32_t stride_;
  std::size_t newest_ = 0;
  std::vector<std::uint8_t> ring_;
};

}  // namespace fairlead::linkprobe
