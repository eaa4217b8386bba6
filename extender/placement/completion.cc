#include "extender/placement/completion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

namespace fairlead::extender {
namespace {

constexpr std::size_t kExactSites = 10;

using Counts = std::vector<std::uint32_t>;

// One question, with the little arithmetic that both searches share.
class Search {
 public:
  Search(const CompletionRequest& request, const LineMatrix& lines)
      : request_(request), lines_(lines), best_(lines.size()) {
    const std::uint64_t room =
        std::accumulate(request.free_members.begin(), request.free_members.end(), std::uint64_t{0});
    placing_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(request.remaining, room));
  }

  std::vector<std::optional<Completion>> Run() {
    if (placing_ == 0) return std::move(best_);
    if (lines_.size() <= kExactSites) {
      Exact();
    } else {
      Greedy();
    }
    return std::move(best_);
  }

 private:
  // Every set of sites, small ones first, so that their times prune the large ones.
  void Exact() {
    const std::size_t n = lines_.size();
    std::vector<std::uint32_t> sets((std::size_t{1} << n) - 1);
    std::iota(sets.begin(), sets.end(), 1U);
    std::erase_if(sets, [&](std::uint32_t set) { return !Feasible(set); });
    std::ranges::stable_sort(sets, {}, [](std::uint32_t set) { return std::popcount(set); });
    FindBounds();
    for (const std::uint32_t set : sets) TrySet(set);
  }

  bool Holds(std::uint32_t set, std::size_t site) const { return (set >> site & 1) != 0; }

  // Holds all members placed, gives every further site one, and has room for the rest.
  bool Feasible(std::uint32_t set) const {
    std::uint64_t room = 0;
    std::uint32_t further = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool used = request_.members[i] > 0;
      if (!Holds(set, i)) {
        if (used) return false;
        continue;
      }
      room += request_.free_members[i];
      if (used) continue;
      if (request_.free_members[i] == 0) return false;
      ++further;
    }
    return further <= placing_ && room >= placing_;
  }

  void TrySet(std::uint32_t set) {
    const double bound = LowerBound(set);
    std::optional<Completion> shared;  // sites that get a member anyway share one filling
    for (std::size_t site = 0; site < lines_.size(); ++site) {
      if (!Holds(set, site) || request_.free_members[site] == 0) continue;
      if (best_[site] && best_[site]->cost.seconds <= bound) continue;
      if (request_.members[site] == 0) {
        if (!shared) shared = Price(Fill(set, std::nullopt));
        Offer(site, *shared);
      } else if (Further(set) < placing_) {
        Offer(site, Price(Fill(set, site)));
      }
    }
  }

  std::uint32_t Further(std::uint32_t set) const {
    std::uint32_t further = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (Holds(set, i) && request_.members[i] == 0) ++further;
    }
    return further;
  }

  // One member to `first`, one to every site that has none, the rest packed.
  Counts Fill(std::uint32_t set, std::optional<std::size_t> first) const {
    Counts counts = request_.members;
    Counts room = request_.free_members;
    std::uint32_t left = placing_;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (!Holds(set, i)) {
        room[i] = 0;
      } else if (counts[i] == 0 || first == i) {
        Put(counts, room, left, i, 1);
      }
    }
    Pack(counts, room, left);
    return counts;
  }

  static void Put(Counts& counts, Counts& room, std::uint32_t& left, std::size_t site,
                  std::uint32_t most) {
    const std::uint32_t taken = std::min({left, room[site], most});
    counts[site] += taken;
    room[site] -= taken;
    left -= taken;
  }

  // The fullest site first, of equals the one that sorts first.
  void Pack(Counts& counts, Counts& room, std::uint32_t& left) const {
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t i) { return counts[i] + std::uint64_t{room[i]}; });
    for (const std::size_t site : order) {
      if (counts[site] > 0) Put(counts, room, left, site, left);
    }
  }

  // No placement on this set can be faster. A ring or chain over it contains a spanning tree, so
  // with M the least spanning tree's sum of latencies a chain takes at least M, and a ring k/(k-1)
  // M, as dropping its longest edge leaves a chain. With PredictCost's factors both come to 2 M. A
  // site's best line bounds the bandwidth; tails and the inside of a site only add.
  double LowerBound(std::uint32_t set) const {
    const double k = std::popcount(set);
    if (k < 2) return 0;
    double seconds_per_byte = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      seconds_per_byte =
          std::max(seconds_per_byte,
                   best_seconds_per_byte_[static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    const double transfer = request_.profile.bytes_per_step * seconds_per_byte;
    const double latency = 2 * LeastSpanningTree(set);
    switch (request_.profile.pattern) {
      case CommPattern::kAllreduce:
      case CommPattern::kHierarchical:
        return latency + 2 * (k - 1) / k * transfer;
      case CommPattern::kPipeline:
        return latency + transfer;
      case CommPattern::kLocalSgd:
        return (latency + 2 * (k - 1) / k * transfer) / std::max(request_.profile.sync_every, 1U);
    }
    return 0;
  }

  // Prim 1957.
  double LeastSpanningTree(std::uint32_t set) const {
    std::array<double, kExactSites> distance;
    distance.fill(std::numeric_limits<double>::infinity());
    double sum = 0;
    std::size_t added = static_cast<std::size_t>(std::countr_zero(set));
    std::uint32_t left = set & (set - 1);
    while (left != 0) {
      std::size_t nearest = kExactSites;
      for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        distance[i] = std::min(distance[i], latency_[added * lines_.size() + i]);
        if (nearest == kExactSites || distance[i] < distance[nearest]) nearest = i;
      }
      sum += distance[nearest];
      left &= ~(1U << nearest);
      added = nearest;
    }
    return sum;
  }

  void FindBounds() {
    const std::size_t n = lines_.size();
    best_seconds_per_byte_.assign(n, std::numeric_limits<double>::max());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        latency_.push_back(OneWayLatency(lines_.At(i, j), 1));
        if (i == j) continue;
        best_seconds_per_byte_[i] =
            std::min(best_seconds_per_byte_[i], 1 / lines_.At(i, j).bytes_per_second);
      }
    }
  }

  // Room in sites already used is filled first; then the site that costs least is added.
  void Greedy() {
    for (std::size_t site = 0; site < lines_.size(); ++site) {
      if (request_.free_members[site] == 0) continue;
      Counts counts = request_.members;
      Counts room = request_.free_members;
      std::uint32_t left = placing_;
      Put(counts, room, left, site, 1);
      Pack(counts, room, left);
      while (left > 0) AddCheapest(counts, room, left);
      Offer(site, Price(counts));
    }
  }

  void AddCheapest(Counts& counts, Counts& room, std::uint32_t& left) const {
    std::optional<Completion> cheapest;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (room[i] == 0) continue;
      Counts tried = counts;
      tried[i] += std::min(left, room[i]);
      Completion completion = Price(tried);
      if (!cheapest || completion.cost.seconds < cheapest->cost.seconds) {
        cheapest = std::move(completion);
        chosen = i;
      }
    }
    Put(counts, room, left, chosen, left);
  }

  Completion Price(Counts counts) const {
    Completion completion;
    completion.cost = PredictCost(request_.profile, lines_, counts);
    completion.members = std::move(counts);
    return completion;
  }

  void Offer(std::size_t site, const Completion& completion) {
    if (!best_[site] || completion.cost.seconds < best_[site]->cost.seconds) {
      best_[site] = completion;
    }
  }

  const CompletionRequest& request_;
  const LineMatrix& lines_;
  std::uint32_t placing_ = 0;
  std::vector<double> best_seconds_per_byte_;  // of any line of the site
  std::vector<double> latency_;  // one way, by both sites; no more than any placement pays
  std::vector<std::optional<Completion>> best_;
};

}  // namespace

std::vector<std::optional<Completion>> BestCompletions(const CompletionRequest& request,
                                                       const LineMatrix& lines) {
  return Search(request, lines).Run();
}

}  // namespace fairlead::extender
