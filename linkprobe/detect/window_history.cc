#include "linkprobe/detect/window_history.h"

#include <algorithm>

namespace fairlead::linkprobe {

WindowHistory::WindowHistory(std::uint32_t windows, std::uint32_t stride)
    : windows_(windows), stride_(stride), ring_(std::size_t{windows} * stride) {}

void WindowHistory::Push(std::uint8_t marks) {
  newest_ = (newest_ + 1) % ring_.size();
  ring_[newest_] = marks;
}

std::uint32_t WindowHistory::Count(std::uint8_t marks) const {
  std::uint32_t count = 0;
  std::size_t at = newest_;
  for (std::uint32_t i = 0; i < windows_; ++i) {
    count += (ring_[at] & marks) == marks ? 1 : 0;
    at = at >= stride_ ? at - stride_ : at + ring_.size() - stride_;
  }
  return count;
}

void WindowHistory::Resize(std::uint32_t windows) {
  if (windows == windows_) return;
  std::vector<std::uint8_t> resized(std::size_t{windows} * stride_);
  const std::size_t kept = std::min(resized.size(), ring_.size());
  for (std::size_t i = 0; i < kept; ++i) {
    resized[resized.size() - 1 - i] = ring_[(newest_ + ring_.size() - i) % ring_.size()];
  }
  windows_ = windows;
  ring_ = std::move(resized);
  newest_ = ring_.size() - 1;
}

void WindowHistory::Clear() { std::fill(ring_.begin(), ring_.end(), std::uint8_t{0}); }

}  // namespace fairlead::linkprobe
