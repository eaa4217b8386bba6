#include "linkprobe/metrics/histogram.h"

#include <limits>

namespace fairlead::linkprobe {
namespace {

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) * 1e-9; }

}  // namespace

prometheus::ClientMetric::Histogram ToHistogram(const ExcessHistogram& excess) {
  prometheus::ClientMetric::Histogram out;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < ExcessHistogram::kBuckets; ++i) {
    below += excess.counts[i];
    const bool last = i + 1 == ExcessHistogram::kBuckets;
    out.bucket.push_back({.cumulative_count = below,
                          .upper_bound = last ? std::numeric_limits<double>::infinity()
                                              : InSeconds(ExcessHistogram::UpperBound(i))});
  }
  out.sample_count = excess.total;
  out.sample_sum = InSeconds(excess.sum);
  return out;
}

}  // namespace fairlead::linkprobe
