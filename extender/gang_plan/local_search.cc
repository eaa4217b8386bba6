#include "extender/gang_plan/local_search.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostWeighed = 600;

class LocalSearch {
 public:
  LocalSearch(const SplitQuestion& question, std::size_t most) : question_(question), most_(most) {}

  std::vector<Split> Run() {
    for (std::size_t site = 0; site < question_.lines.size(); ++site) {
      if (question_.placed[site] + question_.room[site] == 0) continue;
      Weigh(Grown(site, /*by_room=*/false));
      Weigh(Grown(site, /*by_room=*/true));
    }
    while (!kept_.empty() && weighed_.size() < kMostWeighed && Improve()) {
    }
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

  // What one more site costs a set: its cheapest line to it.
  double Nearness(const SiteSet& set, std::size_t site) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::size_t member : set) {
      const LineEstimate& line = question_.lines.At(member, site);
      const double seconds =
          OneWayLatency(line, 1) + question_.profile.bytes_per_step / line.bytes_per_second;
      nearest = std::min(nearest, seconds);
    }
    return nearest;
  }

  SiteSet Grown(std::size_t start, bool by_room) const {
    SiteSet set;
    for (std::size_t site = 0; site < question_.placed.size(); ++site) {
      if (question_.placed[site] > 0 || site == start) set.push_back(site);
    }
    while (Capacity(set) < question_.members) {
      std::optional<std::size_t> chosen;
      std::pair<double, double> least;
      for (std::size_t site = 0; site < question_.room.size(); ++site) {
        if (question_.room[site] == 0 || std::ranges::binary_search(set, site)) continue;
        const double room = -static_cast<double>(question_.room[site]);
        const double near = Nearness(set, site);
        const auto cost = by_room ? std::pair(room, near) : std::pair(near, room);
        if (chosen && cost >= least) continue;
        chosen = site;
        least = cost;
      }
      if (!chosen) break;
      set.insert(std::ranges::lower_bound(set, *chosen), *chosen);
    }
    return set;
  }

  // True when the best split changed.
  bool Weigh(const SiteSet& set) {
    if (weighed_.size() >= kMostWeighed || !CanHold(question_, set)) return false;
    if (!weighed_.insert(set).second) return false;
    Split split = BestSplit(question_, set);
    const auto at = std::ranges::upper_bound(kept_, split.rank, {}, &Split::rank);
    const bool best = at == kept_.begin();
    kept_.insert(at, std::move(split));
    if (kept_.size() > most_) kept_.pop_back();
    return best;
  }

  static SiteSet Without(SiteSet set, std::size_t site) {
    set.erase(std::ranges::find(set, site));
    return set;
  }
  static SiteSet With(SiteSet set, std::size_t site) {
    set.insert(std::ranges::lower_bound(set, site), site);
    return set;
  }

  // One round over all neighbours of the best set; false when none of them is better.
  bool Improve() {
    const SiteSet from = kept_.front().rank.set;
    bool better = false;
    for (const std::size_t site : from) better |= Weigh(Without(from, site));
    for (std::size_t other = 0; other < question_.room.size(); ++other) {
      if (question_.room[other] == 0 || std::ranges::binary_search(from, other)) continue;
      for (const std::size_t site : from) better |= Weigh(With(Without(from, site), other));
      better |= Weigh(With(from, other));
    }
    return better;
  }

  const SplitQuestion& question_;
  const std::size_t most_;
  std::set<SiteSet> weighed_;
  std::vector<Split> kept_;
};

}  // namespace

std::vector<Split> SearchLocally(const SplitQuestion& question, std::size_t most) {
  return LocalSearch(question, most).Run();
}

}  // namespace fairlead::extender
