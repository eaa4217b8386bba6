#include "extender/placement/set_bound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "extender/cost/tree_pair.h"

namespace fairlead::extender {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::size_t First(std::uint32_t set) { return static_cast<std::size_t>(std::countr_zero(set)); }

std::uint32_t WithoutFirst(std::uint32_t set) { return set & (set - 1); }

// Of the least spanning tree.
struct Tree {
  double sum = 0;
  double longest = 0;
  std::array<double, SetBound::kMostSites> edges{};
};

// Edges from the deepest place to its root, in the deeper of NCCL's two trees.
std::size_t Depth(std::size_t places) {
  std::size_t deepest = 0;
  for (const TreeParents& parents : DoubleBinaryTree(places)) {
    for (std::size_t i = 0; i < places; ++i) {
      std::size_t depth = 0;
      for (std::size_t at = i; parents[at] != at; at = parents[at]) ++depth;
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

// Prim 1957.
template <class Weight>
Tree LeastSpanningTree(std::uint32_t set, Weight weight) {
  std::array<double, SetBound::kMostSites> distance;
  distance.fill(kInfinite);
  Tree tree;
  std::size_t count = 0;
  std::size_t added = First(set);
  std::uint32_t left = WithoutFirst(set);
  while (left != 0) {
    std::size_t nearest = First(left);
    for (std::uint32_t rest = left; rest != 0; rest = WithoutFirst(rest)) {
      const std::size_t i = First(rest);
      distance[i] = std::min(distance[i], weight(added, i));
      if (distance[i] < distance[nearest]) nearest = i;
    }
    tree.edges[count++] = distance[nearest];
    tree.sum += distance[nearest];
    tree.longest = std::max(tree.longest, distance[nearest]);
    left &= ~(1U << nearest);
    added = nearest;
  }
  return tree;
}

// Of each site's two least edges: half their sum, and the largest of all seconds.
template <class Weight>
Tree TwoLeast(std::uint32_t set, Weight weight) {
  Tree edges;
  for (std::uint32_t one = set; one != 0; one = WithoutFirst(one)) {
    double least = kInfinite;
    double second = kInfinite;
    for (std::uint32_t other = set; other != 0; other = WithoutFirst(other)) {
      if (First(other) == First(one)) continue;
      const double w = weight(First(one), First(other));
      second = std::min(second, std::max(least, w));
      least = std::min(least, w);
    }
    // A ring of two uses its line twice.
    if (second == kInfinite) second = least;
    edges.sum += (least + second) / 2;
    edges.longest = std::max(edges.longest, second);
  }
  return edges;
}

}  // namespace

SetBound::SetBound(const CommunicationProfile& profile, const LineMatrix& lines,
                   std::uint32_t members)
    : profile_(profile), members_(members), size_(lines.size()) {
  depth_.push_back(0);
  for (std::size_t k = 1; k <= size_; ++k) depth_.push_back(Depth(k));
  latency_.reserve((size_ + 1) * size_ * size_);
  for (std::uint32_t k = 0; k <= size_; ++k) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) latency_.push_back(OneWayLatency(lines.At(i, j), k));
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      seconds_per_byte_.push_back(1 / lines.At(i, j).bytes_per_second);
      distance_.push_back(i == j ? 0 : OneWayLatency(lines.At(i, j), 1));
    }
  }
  // Floyd 1962.
  for (std::size_t by = 0; by < size_; ++by) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        double& distance = distance_[i * size_ + j];
        distance = std::min(distance, distance_[i * size_ + by] + distance_[by * size_ + j]);
      }
    }
  }
}

double SetBound::Latency(std::uint32_t set, std::size_t i, std::size_t j) const {
  const auto k = static_cast<std::size_t>(std::popcount(set));
  return latency_[(k * size_ + i) * size_ + j];
}

double SetBound::Radius(std::uint32_t set) const {
  double radius = kInfinite;
  for (std::uint32_t root = set; root != 0; root = WithoutFirst(root)) {
    double farthest = 0;
    for (std::uint32_t rest = set; rest != 0; rest = WithoutFirst(rest)) {
      farthest = std::max(farthest, distance_[First(root) * size_ + First(rest)]);
    }
    radius = std::min(radius, farthest);
  }
  return radius;
}

double SetBound::DeepestPath(std::uint32_t set) const {
  auto edges = LeastSpanningTree(set, [&](std::size_t i, std::size_t j) {
                 return Latency(set, i, j);
               }).edges;
  const auto k = static_cast<std::size_t>(std::popcount(set));
  std::sort(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(k - 1));
  const auto depth = static_cast<std::ptrdiff_t>(depth_[k]);
  return std::max(Radius(set), std::accumulate(edges.begin(), edges.begin() + depth, 0.0));
}

double SetBound::Seconds(std::uint32_t set) const {
  const double k = std::popcount(set);
  if (k < 2) return 0;
  const auto latency = [&](std::size_t i, std::size_t j) { return Latency(set, i, j); };
  const auto bandwidth = [&](std::size_t i, std::size_t j) {
    return seconds_per_byte_[i * size_ + j];
  };
  const double bytes = profile_.bytes_per_step;
  const double slowest = LeastSpanningTree(set, bandwidth).longest;
  const auto ring = [&] {
    const double sum =
        std::max(k / (k - 1) * LeastSpanningTree(set, latency).sum, TwoLeast(set, latency).sum);
    return sum + bytes * std::max(slowest, TwoLeast(set, bandwidth).longest);
  };
  switch (profile_.pattern) {
    case CommPattern::kAllreduce: {
      const double p = std::max<double>(members_, k);
      return 2 * (p - 1) / p * ring();
    }
    case CommPattern::kHierarchical:
      return 2 * (k - 1) / k * ring();
    case CommPattern::kLocalSgd:
      return 2 * (k - 1) / k * ring() / std::max(profile_.sync_every, 1U);
    case CommPattern::kPipeline:
      return 2 * LeastSpanningTree(set, latency).sum + bytes * slowest;
    case CommPattern::kTree:
      return 2 * (DeepestPath(set) + bytes * slowest);
  }
  return 0;
}

}  // namespace fairlead::extender
