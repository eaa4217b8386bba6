#include "linkprobe/estimate/sample_window.h"

namespace fairlead::linkprobe {

Sample& SampleWindow::Add(const Sample& sample) {
  Sample& slot = at(next_);
  const bool backwards = next_ > 0 && sample.at < newest().at;
  const MonotonicTime latest = next_ > 0 ? newest().at : sample.at;
  slot = sample;
  if (backwards) slot.at = latest;  // keeps the ring sorted for FirstAfter
  ++next_;
  return slot;
}

std::uint64_t SampleWindow::FirstAfter(MonotonicTime from) const {
  std::uint64_t low = begin();
  std::uint64_t high = end();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at(middle).at > from) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace fairlead::linkprobe
