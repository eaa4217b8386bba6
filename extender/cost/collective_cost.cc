#include "extender/cost/collective_cost.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "extender/cost/known_orders.h"
#include "extender/cost/site_order.h"
#include "extender/cost/tree_pair.h"

namespace fairlead::extender {
namespace {

// Share of the compute time, its backward pass, that communication can hide behind.
constexpr double kOverlap = 0.65;

// A placement with fewer numbers: which sites, and how many members.
struct Layout {
  const CommunicationProfile& profile;
  const LineMatrix& lines;
  std::vector<std::size_t> sites;  // in use
  std::vector<std::uint32_t> counts;
  std::uint32_t members = 0;
  std::uint32_t smallest = 0;  // members of the emptiest site in use
};

// Latency and bottleneck of a set of edges.
struct EdgeSum {
  double alpha = 0;
  double seconds_per_byte = 0;  // of the slowest edge
  double uncertain_alpha = 0;   // sum of alpha x its relative uncertainty
};

void AddEdges(EdgeSum& sum, const LineEstimate& line, double edges, std::uint32_t parallel) {
  const double alpha = OneWayLatency(line, parallel) * edges;
  sum.alpha += alpha;
  sum.uncertain_alpha += alpha * line.uncertainty_ratio;
  sum.seconds_per_byte = std::max(sum.seconds_per_byte, 1 / line.bytes_per_second);
}

using Order = std::vector<std::size_t>;

// What a message of one of k parts takes between two sites.
SiteWeight WeightOf(const CommunicationProfile& profile, const LineMatrix& lines, std::size_t k,
                    std::uint32_t parallel) {
  const double chunk = profile.bytes_per_step / static_cast<double>(k);
  return [&lines, chunk, parallel](std::size_t a, std::size_t b) {
    const LineEstimate& line = lines.At(a, b);
    return OneWayLatency(line, parallel) + chunk / line.bytes_per_second;
  };
}

Order SiteOrder(const Layout& layout, OrderShape shape, std::uint32_t parallel) {
  return ShortestOrder(layout.sites, shape,
                       WeightOf(layout.profile, layout.lines, layout.sites.size(), parallel));
}

// The lines between sites that a ring or chain crosses, in order. A ring of two uses its line
// twice, once each way.
std::vector<LineIndex> Crossings(const Order& order, OrderShape shape) {
  if (order.size() < 2) return {};
  std::vector<LineIndex> crossings;
  for (std::size_t i = 1; i < order.size(); ++i) crossings.push_back({order[i - 1], order[i]});
  if (shape == OrderShape::kRing) crossings.push_back({order.back(), order.front()});
  return crossings;
}

// Each line that one of the two trees uses, once.
std::vector<LineIndex> TreeCrossings(const Order& order) {
  std::vector<LineIndex> crossings;
  for (const TreeParents& parents : DoubleBinaryTree(order.size())) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (parents[i] == i) continue;
      const auto [a, b] = std::minmax(i, parents[i]);
      const LineIndex line{order[a], order[b]};
      if (std::ranges::find(crossings, line) == crossings.end()) crossings.push_back(line);
    }
  }
  return crossings;
}

void AddCrossings(EdgeSum& sum, const Layout& layout, const std::vector<LineIndex>& crossings,
                  std::uint32_t parallel) {
  for (const LineIndex& line : crossings) {
    AddEdges(sum, layout.lines.At(line.a, line.b), 1, parallel);
  }
}

// Latency and bandwidth terms of a step, each already multiplied out.
struct Terms {
  double latency = 0;
  double bandwidth = 0;
  double uncertain = 0;
};

Terms Multiply(const EdgeSum& sum, double alpha_factor, double bytes) {
  return {alpha_factor * sum.alpha, bytes * sum.seconds_per_byte,
          alpha_factor * sum.uncertain_alpha};
}

double RingFactor(std::size_t n) {
  return 2 * (static_cast<double>(n) - 1) / static_cast<double>(n);
}

Terms FlatRing(const Layout& layout, const std::vector<LineIndex>& crossings,
               std::uint32_t parallel) {
  EdgeSum sum;
  for (std::size_t i = 0; i < layout.sites.size(); ++i) {
    // A chain through a site has one edge less than members; a ring within one site closes.
    const std::uint32_t edges = layout.sites.size() == 1 ? layout.counts[i] : layout.counts[i] - 1;
    if (edges > 0) AddEdges(sum, layout.lines.At(layout.sites[i], layout.sites[i]), edges, 1);
  }
  AddCrossings(sum, layout, crossings, parallel);
  const double factor = RingFactor(layout.members);
  return Multiply(sum, factor, factor * layout.profile.bytes_per_step);
}

Terms Hierarchical(const Layout& layout, const std::vector<LineIndex>& crossings,
                   std::uint32_t parallel) {
  Terms inside;
  for (std::size_t i = 0; i < layout.sites.size(); ++i) {
    const std::uint32_t r = layout.counts[i];
    if (r < 2) continue;
    EdgeSum sum;
    AddEdges(sum, layout.lines.At(layout.sites[i], layout.sites[i]), r, 1);
    const double factor = RingFactor(r);
    const Terms one = Multiply(sum, factor, factor * layout.profile.bytes_per_step);
    if (one.latency + one.bandwidth > inside.latency + inside.bandwidth) inside = one;
  }
  if (crossings.empty()) return inside;
  EdgeSum sum;
  AddCrossings(sum, layout, crossings, parallel);
  const double factor = RingFactor(layout.sites.size());
  const Terms between = Multiply(sum, factor, factor * layout.profile.bytes_per_step);
  return {inside.latency + between.latency, inside.bandwidth + between.bandwidth,
          inside.uncertain + between.uncertain};
}

Terms Pipeline(const Layout& layout, const std::vector<LineIndex>& crossings,
               std::uint32_t parallel) {
  EdgeSum sum;
  for (std::size_t i = 0; i < layout.sites.size(); ++i) {
    const std::uint32_t edges = layout.counts[i] - 1;
    if (edges > 0) AddEdges(sum, layout.lines.At(layout.sites[i], layout.sites[i]), edges, 1);
  }
  AddCrossings(sum, layout, crossings, parallel);
  return Multiply(sum, 2, layout.profile.bytes_per_step);
}

// Latencies from the site farthest from its root, in either tree.
EdgeSum DeepestPath(const Layout& layout, const Order& order, std::uint32_t parallel) {
  EdgeSum deepest;
  for (const TreeParents& parents : DoubleBinaryTree(order.size())) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      EdgeSum path;
      for (std::size_t at = i; parents[at] != at; at = parents[at]) {
        AddEdges(path, layout.lines.At(order[at], order[parents[at]]), 1, parallel);
      }
      if (path.alpha > deepest.alpha) deepest = path;
    }
  }
  return deepest;
}

Terms Tree(const Layout& layout, const Order& order, const std::vector<LineIndex>& crossings,
           std::uint32_t parallel) {
  EdgeSum inside;
  double seconds_per_byte = 0;
  for (std::size_t i = 0; i < layout.sites.size(); ++i) {
    if (layout.counts[i] < 2) continue;
    EdgeSum sum;
    // Levels of a binary tree over the site's members.
    AddEdges(sum, layout.lines.At(layout.sites[i], layout.sites[i]),
             std::bit_width(layout.counts[i] - 1), 1);
    seconds_per_byte = std::max(seconds_per_byte, sum.seconds_per_byte);
    if (sum.alpha > inside.alpha) inside = sum;
  }
  EdgeSum whole = DeepestPath(layout, order, parallel);
  whole.alpha += inside.alpha;
  whole.uncertain_alpha += inside.uncertain_alpha;
  for (const LineIndex& line : crossings) {
    seconds_per_byte =
        std::max(seconds_per_byte, 1 / layout.lines.At(line.a, line.b).bytes_per_second);
  }
  whole.seconds_per_byte = seconds_per_byte;
  return Multiply(whole, 2, 2 * layout.profile.bytes_per_step);
}

Terms PatternTerms(const Layout& layout, const Order& order,
                   const std::vector<LineIndex>& crossings, std::uint32_t parallel) {
  switch (layout.profile.pattern) {
    case CommPattern::kAllreduce:
      return FlatRing(layout, crossings, parallel);
    case CommPattern::kHierarchical:
    case CommPattern::kLocalSgd:
      return Hierarchical(layout, crossings, parallel);
    case CommPattern::kPipeline:
      return Pipeline(layout, crossings, parallel);
    case CommPattern::kTree:
      return Tree(layout, order, crossings, parallel);
  }
  return {};
}

OrderShape ShapeOf(CommPattern pattern) {
  switch (pattern) {
    case CommPattern::kAllreduce:
    case CommPattern::kHierarchical:
    case CommPattern::kLocalSgd:
      return OrderShape::kRing;
    case CommPattern::kPipeline:
    case CommPattern::kTree:
      return OrderShape::kChain;
  }
  return OrderShape::kRing;
}

// How many edges between sites move in lock-step: those of the ring of sites, times the parallel
// rings of a hierarchical exchange, one for each member of the smallest site.
std::uint32_t ParallelEdges(const Layout& layout, OrderShape shape) {
  const auto k = static_cast<std::uint32_t>(layout.sites.size());
  if (shape == OrderShape::kChain || layout.profile.pattern == CommPattern::kAllreduce) return k;
  return k * layout.smallest;
}

std::optional<LineIndex> Dominant(const Layout& layout, const std::vector<LineIndex>& crossings,
                                  std::uint32_t parallel) {
  std::optional<LineIndex> dominant;
  double most = -1;
  const double chunk = layout.profile.bytes_per_step /
                       static_cast<double>(std::max<std::size_t>(crossings.size(), 1));
  for (const LineIndex& index : crossings) {
    const LineEstimate& line = layout.lines.At(index.a, index.b);
    const double share = OneWayLatency(line, parallel) + chunk / line.bytes_per_second;
    if (share > most) {
      most = share;
      dominant = index;
    }
  }
  return dominant;
}

}  // namespace

bool OrderDependsOnMembers(CommPattern pattern) {
  switch (pattern) {
    case CommPattern::kHierarchical:
    case CommPattern::kLocalSgd:
      return true;
    case CommPattern::kAllreduce:
    case CommPattern::kPipeline:
    case CommPattern::kTree:
      return false;
  }
  return true;
}

std::vector<std::size_t> KnownOrders::Of(const std::vector<std::size_t>& sites) {
  const bool chain = ShapeOf(profile_.pattern) == OrderShape::kChain;
  if (!chain || sites.empty() || lines_.size() > ChainTable::kMostSites) return {};
  const std::size_t k = sites.size();
  std::optional<ChainTable>& table = by_size_[k];
  if (!table) {
    table.emplace(lines_.size(), k, WeightOf(profile_, lines_, k, static_cast<std::uint32_t>(k)));
  }
  std::uint32_t set = 0;
  for (const std::size_t site : sites) set |= 1U << site;
  return table->Order(set);
}

CostBreakdown PredictCost(const CommunicationProfile& profile, const LineMatrix& lines,
                          const std::vector<std::uint32_t>& members_per_site,
                          const std::vector<std::size_t>* known_order) {
  Layout layout{profile, lines, {}, {}};
  layout.smallest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < members_per_site.size(); ++i) {
    const std::uint32_t count = members_per_site[i];
    if (count == 0) continue;
    layout.sites.push_back(i);
    layout.counts.push_back(count);
    layout.members += count;
    layout.smallest = std::min(layout.smallest, count);
  }
  CostBreakdown cost;
  cost.sites_used = static_cast<std::uint32_t>(layout.sites.size());
  cost.members = layout.members;
  if (layout.members < 2) {
    cost.order = layout.sites;
    return cost;
  }

  const OrderShape shape = ShapeOf(profile.pattern);
  const std::uint32_t parallel = ParallelEdges(layout, shape);
  cost.order = known_order != nullptr ? *known_order : SiteOrder(layout, shape, parallel);
  const std::vector<LineIndex> crossings = profile.pattern == CommPattern::kTree
                                               ? TreeCrossings(cost.order)
                                               : Crossings(cost.order, shape);
  const Terms terms = PatternTerms(layout, cost.order, crossings, parallel);
  const double divisor =
      profile.pattern == CommPattern::kLocalSgd ? std::max(profile.sync_every, 1U) : 1;
  cost.latency_seconds = terms.latency / divisor;
  cost.bandwidth_seconds = terms.bandwidth / divisor;
  cost.seconds = cost.latency_seconds + cost.bandwidth_seconds;
  cost.uncertainty_ratio = cost.seconds > 0 ? terms.uncertain / divisor / cost.seconds : 0;
  cost.exposed_seconds =
      std::max(0.0, cost.seconds -
                        kOverlap * std::chrono::duration<double>(profile.compute_per_step).count());
  cost.dominant = Dominant(layout, crossings, parallel);
  cost.lines = crossings;
  if (layout.sites.size() == 2 && shape == OrderShape::kRing) cost.lines.resize(1);
  for (const LineIndex& line : cost.lines) {
    cost.weakest_basis = std::max(cost.weakest_basis, lines.At(line.a, line.b).basis);
  }
  return cost;
}

}  // namespace fairlead::extender
