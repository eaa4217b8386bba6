#include "extender/gang_plan/local_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "extender/placement/set_bound.h"

namespace fairlead::extender {
namespace {

constexpr std::int64_t kWorst = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostWeighed = 400;

// By what a set grows.
enum class Growth { kNearestToAny, kNearestToAll, kNearestToStart, kRoom };
constexpr std::array kGrowths{Growth::kNearestToAny, Growth::kNearestToAll, Growth::kNearestToStart,
                              Growth::kRoom};

class LocalSearch {
 public:
  LocalSearch(const SplitQuestion& question, std::size_t most) : question_(question), most_(most) {
    if (question.lines.size() > SetBound::kMostSites) return;
    bound_.emplace(question.profile, question.lines, question.members);
  }

  std::vector<Split> Run() {
    for (std::size_t site = 0; site < question_.lines.size(); ++site) {
      if (question_.placed[site] + question_.room[site] == 0) continue;
      for (const Growth growth : kGrowths) {
        Weigh(Grown(site, growth), kept_.size() < most_ ? kWorst : kept_.back().rank.time_class);
      }
    }
    std::vector<SplitRank> starts;
    for (const Split& split : kept_) starts.push_back(split.rank);
    for (SplitRank& start : starts) Descend(std::move(start));
    return std::move(kept_);
  }

 private:
  std::uint64_t Capacity(const SiteSet& set) const {
    std::uint64_t capacity = 0;
    for (const std::size_t site : set) {
      capacity += std::uint64_t{question_.placed[site]} + question_.room[site];
    }
    return capacity;
  }

  // The time of a message over the line.
  double Seconds(std::size_t a, std::size_t b) const {
    const LineEstimate& line = question_.lines.At(a, b);
    return OneWayLatency(line, 1) + question_.profile.bytes_per_step / line.bytes_per_second;
  }

  // What one more site costs a set, of which `start` was the first.
  double Cost(const SiteSet& set, std::size_t start, std::size_t site, Growth growth) const {
    double nearest = std::numeric_limits<double>::infinity();
    double farthest = 0;
    for (const std::size_t member : set) {
      nearest = std::min(nearest, Seconds(member, site));
      farthest = std::max(farthest, Seconds(member, site));
    }
    switch (growth) {
      case Growth::kNearestToAny:
        return nearest;
      case Growth::kNearestToAll:
        return farthest;
      case Growth::kNearestToStart:
        return Seconds(start, site);
      case Growth::kRoom:
        return -static_cast<double>(question_.room[site]);
    }
    return nearest;
  }

  SiteSet Grown(std::size_t start, Growth growth) const {
    SiteSet set;
    for (std::size_t site = 0; site < question_.placed.size(); ++site) {
      if (question_.placed[site] > 0 || site == start) set.push_back(site);
    }
    while (Capacity(set) < question_.members) {
      std::optional<std::size_t> chosen;
      double least = 0;
      for (std::size_t site = 0; site < question_.room.size(); ++site) {
        if (question_.room[site] == 0 || std::ranges::binary_search(set, site)) continue;
        const double cost = Cost(set, start, site, growth);
        if (chosen && cost >= least) continue;
        chosen = site;
        least = cost;
      }
      if (!chosen) break;
      set.insert(std::ranges::lower_bound(set, *chosen), *chosen);
    }
    return set;
  }

  // No split over the set is in a better class.
  std::int64_t BestClass(const SiteSet& set) const {
    if (!bound_) return std::numeric_limits<std::int64_t>::min();
    std::uint32_t bits = 0;
    for (const std::size_t site : set) bits |= 1U << site;
    return TimeClass(bound_->Seconds(bits) * (1 - 1e-9));
  }

  // The rank of the best split over the set; nothing when the set was weighed before, cannot hold
  // the gang, is surely worse than the class `worst`, or the budget is spent.
  std::optional<SplitRank> Weigh(const SiteSet& set, std::int64_t worst) {
    if (weighed_.size() >= kMostWeighed || !CanHold(question_, set)) return std::nullopt;
    if (BestClass(set) > worst || !weighed_.insert(set).second) return std::nullopt;
    Split split = BestSplit(question_, set);
    SplitRank rank = split.rank;
    const auto at = std::ranges::upper_bound(kept_, rank, {}, &Split::rank);
    kept_.insert(at, std::move(split));
    if (kept_.size() > most_) kept_.pop_back();
    return rank;
  }

  static SiteSet Without(SiteSet set, std::size_t site) {
    set.erase(std::ranges::find(set, site));
    return set;
  }
  static SiteSet With(SiteSet set, std::size_t site) {
    set.insert(std::ranges::lower_bound(set, site), site);
    return set;
  }

  // Goes to the best neighbour as long as there are better ones that no descent saw before.
  void Descend(SplitRank from) {
    std::optional<SplitRank> best = std::move(from);
    while (best) {
      const SplitRank here = *std::exchange(best, std::nullopt);
      const auto look = [&](const SiteSet& set) {
        std::optional<SplitRank> rank = Weigh(set, here.time_class);
        if (rank && *rank < here && (!best || *rank < *best)) best = std::move(rank);
      };
      for (const std::size_t site : here.set) look(Without(here.set, site));
      for (std::size_t other = 0; other < question_.room.size(); ++other) {
        if (question_.room[other] == 0 || std::ranges::binary_search(here.set, other)) continue;
        for (const std::size_t site : here.set) look(With(Without(here.set, site), other));
        look(With(here.set, other));
      }
    }
  }

  const SplitQuestion& question_;
  const std::size_t most_;
  std::optional<SetBound> bound_;  // absent: too many sites
  std::set<SiteSet> weighed_;
  std::vector<Split> kept_;
};

}  // namespace

std::vector<Split> SearchLocally(const SplitQuestion& question, std::size_t most) {
  return LocalSearch(question, most).Run();
}

}  // namespace fairlead::extender
