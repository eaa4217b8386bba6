// How fast the peer's clock runs away from ours, and whether it jumped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Of each 2 s the smallest forward and reverse delay are kept; half their difference is the clocks'
// offset free of queueing. The drift is the median of the slopes between all pairs of the last 60 s
// (Theil and Sen): a step of the line's delay or a bad minute moves it little.
class ClockDrift {
 public:
  // One sample; one-way delays as in Delays. True when the peer's clock jumped: then everything
  // before is forgotten and one-way values before and after must not be compared.
  bool Add(MonotonicTime at, std::int64_t forward, std::int64_t reverse);

  // Forgets everything, for a peer that restarted.
  void Reset();

  // Nanoseconds the peer's clock gains per nanosecond; 0 until known().
  double slope() const { return slope_; }
  bool known() const { return known_; }

 private:
  static constexpr Nanoseconds kBin = Seconds(2);
  static constexpr std::size_t kBins = 30;
  static constexpr std::size_t kFewestBins = 5;
  static constexpr int kSamplesForJump = 3;

  struct Bin {
    MonotonicTime start;
    std::int64_t forward;
    std::int64_t reverse;
  };

  bool LooksLikeJump(MonotonicTime at, std::int64_t forward, std::int64_t reverse) const;
  void Fit();

  std::array<Bin, kBins> bins_{};  // a ring; the newest is still being filled
  std::size_t count_ = 0;
  std::size_t newest_ = 0;
  std::vector<double> slopes_;
  double slope_ = 0;
  bool known_ = false;
  int jumping_ = 0;
};

}  // namespace fairlead::linkprobe
