#include "extender/placement/set_bound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace fairlead::extender {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::size_t First(std::uint32_t set) { return static_cast<std::size_t>(std::countr_zero(set)); }

std::uint32_t WithoutFirst(std::uint32_t set) { return set & (set - 1); }

}  // namespace

SetBound::SetBound(const CommunicationProfile& profile, const LineMatrix& lines)
    : profile_(profile), size_(lines.size()), best_seconds_per_byte_(size_, kInfinite) {
  for (std::uint32_t k = 0; k <= size_; ++k) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) latency_.push_back(OneWayLatency(lines.At(i, j), k));
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (i == j) continue;
      double& best = best_seconds_per_byte_[i];
      best = std::min(best, 1 / lines.At(i, j).bytes_per_second);
    }
  }
}

double SetBound::Latency(std::uint32_t set, std::size_t i, std::size_t j) const {
  const auto k = static_cast<std::size_t>(std::popcount(set));
  return latency_[(k * size_ + i) * size_ + j];
}

double SetBound::Seconds(std::uint32_t set) const {
  const double k = std::popcount(set);
  if (k < 2) return 0;
  double seconds_per_byte = 0;
  for (std::uint32_t rest = set; rest != 0; rest = WithoutFirst(rest)) {
    seconds_per_byte = std::max(seconds_per_byte, best_seconds_per_byte_[First(rest)]);
  }
  const double transfer = profile_.bytes_per_step * seconds_per_byte;
  if (profile_.pattern == CommPattern::kTree) return 2 * (FarthestSite(set) + transfer);
  const double latency = 2 * LeastSpanningTree(set);
  switch (profile_.pattern) {
    case CommPattern::kAllreduce:
    case CommPattern::kHierarchical:
      return latency + 2 * (k - 1) / k * transfer;
    case CommPattern::kPipeline:
    case CommPattern::kTree:
      return latency + transfer;
    case CommPattern::kLocalSgd:
      return (latency + 2 * (k - 1) / k * transfer) / std::max(profile_.sync_every, 1U);
  }
  return 0;
}

// Whatever the tree, each site has an edge of its own in it.
double SetBound::FarthestSite(std::uint32_t set) const {
  double farthest = 0;
  for (std::uint32_t one = set; one != 0; one = WithoutFirst(one)) {
    double nearest = kInfinite;
    for (std::uint32_t other = set; other != 0; other = WithoutFirst(other)) {
      if (First(other) == First(one)) continue;
      nearest = std::min(nearest, Latency(set, First(one), First(other)));
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

// Prim 1957.
double SetBound::LeastSpanningTree(std::uint32_t set) const {
  std::array<double, kMostSites> distance;
  distance.fill(kInfinite);
  double sum = 0;
  std::size_t added = First(set);
  std::uint32_t left = WithoutFirst(set);
  while (left != 0) {
    std::size_t nearest = First(left);
    for (std::uint32_t rest = left; rest != 0; rest = WithoutFirst(rest)) {
      const std::size_t i = First(rest);
      distance[i] = std::min(distance[i], Latency(set, added, i));
      if (distance[i] < distance[nearest]) nearest = i;
    }
    sum += distance[nearest];
    left &= ~(1U << nearest);
    added = nearest;
  }
  return sum;
}

}  // namespace fairlead::extender
