#include "linkprobe/reflect/replay_window.h"

namespace fairlead::linkprobe {

ReplayWindow::Seen ReplayWindow::Check(std::uint64_t sequence) {
  if (sequence > highest_) {
    const std::uint64_t distance = sequence - highest_;
    // Zero seen means nothing to compare with: a responder may join a running sequence.
    if (highest_ != 0 && distance > kFarthestJump) return Seen::kTooFarAhead;
    ShiftBy(distance);
    highest_ = sequence;
    words_[0] |= 1;
    return Seen::kNew;
  }
  const std::uint64_t behind = highest_ - sequence;
  if (behind >= kSpan || sequence == 0) return Seen::kTooOld;
  std::uint64_t& word = words_[behind / 64];
  const std::uint64_t bit = std::uint64_t{1} << behind % 64;
  if ((word & bit) != 0) return Seen::kDuplicate;
  word |= bit;
  return Seen::kNewButBehind;
}

void ReplayWindow::ShiftBy(std::uint64_t distance) {
  if (distance >= kSpan) {
    words_.fill(0);
    return;
  }
  const std::size_t whole = distance / 64;
  const std::size_t part = distance % 64;
  for (std::size_t i = kWords; i-- > 0;) {
    std::uint64_t word = i >= whole ? words_[i - whole] << part : 0;
    if (part != 0 && i > whole) word |= words_[i - whole - 1] >> (64 - part);
    words_[i] = word;
  }
}

}  // namespace fairlead::linkprobe
