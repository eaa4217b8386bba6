// The newest samples of a path.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/estimate/sample.h"

namespace fairlead::linkprobe {

// One answered probe. Samples whose `one_way_epoch` differ saw different clocks of the peer.
struct Sample {
  MonotonicTime at{};       // when the reply was handled
  std::uint64_t probe = 0;  // ProbeLedger's index
  std::int64_t t4 = 0;      // as the reply itself told it
  Delays delays{};
  std::uint32_t one_way_epoch = 0;
  std::uint16_t forward_duplicates = 0;  // seen since the sample before
  std::uint16_t reverse_duplicates = 0;
  std::uint16_t forward_reordered = 0;
  std::uint16_t reverse_reordered = 0;
  bool forward_ecn = false;
  bool reverse_ecn = false;
  bool exact_t4 = false;
  bool below_floor = false;
  bool usable = true;  // false: answered, but its delays are refused
};

// A ring of fixed capacity (rounded up to a power of two), addressed by a number that only grows.
class SampleWindow {
 public:
  explicit SampleWindow(std::size_t capacity) : ring_(std::bit_ceil(capacity)) {}

  Sample& Add(const Sample& sample);
  // Numbers of the oldest kept and of the next sample.
  std::uint64_t begin() const { return next_ > ring_.size() ? next_ - ring_.size() : 0; }
  std::uint64_t end() const { return next_; }
  // The oldest sample handled after `from`; end() when there is none.
  std::uint64_t FirstAfter(MonotonicTime from) const;

  Sample& at(std::uint64_t number) { return ring_[number & (ring_.size() - 1)]; }
  const Sample& at(std::uint64_t number) const { return ring_[number & (ring_.size() - 1)]; }
  bool empty() const { return next_ == 0; }
  Sample& newest() { return at(next_ - 1); }
  const Sample& newest() const { return at(next_ - 1); }

 private:
  std::vector<Sample> ring_;
  std::uint64_t next_ = 0;
};

}  // namespace fairlead::linkprobe
