#include "linkprobe/estimate/clock_drift.h"

#include <algorithm>
#include <cmath>

namespace fairlead::linkprobe {
namespace {

// A jump must stand out from drift, which before the first fit may reach the 500 ppm to which NTP
// may slew, and from noise.
constexpr double kJumpBeforeFit = 10e6;
constexpr double kJump = 1e6;
constexpr double kFastestDrift = 0.01;  // 20 times what NTP slews; beyond it is no clock

double AsNanoseconds(MonotonicTime later, MonotonicTime earlier) {
  return static_cast<double>((later - earlier).count());
}

}  // namespace

void ClockDrift::Reset() {
  count_ = 0;
  slope_ = 0;
  known_ = false;
  jumping_ = 0;
}

bool ClockDrift::Add(MonotonicTime at, std::int64_t forward, std::int64_t reverse) {
  if (count_ > 0 && LooksLikeJump(at, forward, reverse)) {
    if (++jumping_ < kSamplesForJump) return false;
    Reset();
    bins_[newest_] = {at, forward, reverse};
    count_ = 1;
    return true;
  }
  jumping_ = 0;
  if (count_ == 0 || at - bins_[newest_].start >= kBin) {
    if (count_ > 0) Fit();
    newest_ = count_ == 0 ? 0 : (newest_ + 1) % kBins;
    bins_[newest_] = {at, forward, reverse};
    count_ = std::min(count_ + 1, kBins);
    return false;
  }
  bins_[newest_].forward = std::min(bins_[newest_].forward, forward);
  bins_[newest_].reverse = std::min(bins_[newest_].reverse, reverse);
  return false;
}

// Delay only adds, so one direction far below its minimum means a moved clock, unless the round
// trip fell as well, which only a shorter path explains.
bool ClockDrift::LooksLikeJump(MonotonicTime at, std::int64_t forward, std::int64_t reverse) const {
  // The bin before the newest, where there is one: the newest may hold a single slow sample.
  const Bin& bin = bins_[count_ > 1 ? (newest_ + kBins - 1) % kBins : newest_];
  const double drift = slope_ * AsNanoseconds(at, bin.start);
  const double ahead = static_cast<double>(forward - bin.forward) - drift;
  const double behind = static_cast<double>(reverse - bin.reverse) + drift;
  const double threshold = known_ ? kJump : kJumpBeforeFit;
  const double fell = std::min(ahead, behind);
  return fell < -threshold && ahead + behind > fell / 2;
}

void ClockDrift::Fit() {
  if (count_ < kFewestBins) return;
  slopes_.clear();
  const std::size_t oldest = (newest_ + kBins + 1 - count_) % kBins;
  for (std::size_t i = 0; i < count_; ++i) {
    const Bin& a = bins_[(oldest + i) % kBins];
    for (std::size_t j = i + 1; j < count_; ++j) {
      const Bin& b = bins_[(oldest + j) % kBins];
      const double offset = (static_cast<double>(b.forward - a.forward) -
                             static_cast<double>(b.reverse - a.reverse)) /
                            2;
      slopes_.push_back(offset / AsNanoseconds(b.start, a.start));
    }
  }
  const auto middle = slopes_.begin() + static_cast<std::ptrdiff_t>(slopes_.size() / 2);
  std::nth_element(slopes_.begin(), middle, slopes_.end());
  known_ = std::abs(*middle) <= kFastestDrift;
  slope_ = known_ ? *middle : 0;
}

}  // namespace fairlead::linkprobe
