#include "linkprobe/estimate/excess_histogram.h"

#include <algorithm>

namespace fairlead::linkprobe {

Nanoseconds ExcessHistogram::UpperBound(std::size_t bucket) {
  return Nanoseconds(50'000) * (std::int64_t{1} << bucket);
}

void ExcessHistogram::Add(Nanoseconds excess) {
  excess = std::max(excess, Nanoseconds(0));
  std::size_t bucket = 0;
  while (bucket + 1 < kBuckets && excess > UpperBound(bucket)) ++bucket;
  ++counts[bucket];
  ++total;
  sum += excess;
}

}  // namespace fairlead::linkprobe
