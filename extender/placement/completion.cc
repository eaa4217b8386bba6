#include "extender/placement/completion.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "extender/placement/set_bound.h"

namespace fairlead::extender {
namespace {

using Counts = std::vector<std::uint32_t>;

constexpr std::size_t kMostExactSites = 10;

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
    if (lines_.size() <= kMostExactSites) {
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
    const auto placed = std::accumulate(request_.members.begin(), request_.members.end(), placing_);
    const SetBound bound(request_.profile, lines_, placed);
    for (const std::uint32_t set : sets) TrySet(set, bound.Seconds(set));
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

  // `bound`: no placement on the set is faster.
  void TrySet(std::uint32_t set, double bound) {
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
  std::vector<std::optional<Completion>> best_;
};

}  // namespace

std::vector<std::optional<Completion>> BestCompletions(const CompletionRequest& request,
                                                       const LineMatrix& lines) {
  return Search(request, lines).Run();
}

}  // namespace fairlead::extender
