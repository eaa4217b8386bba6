#include "extender/migration_round/gang_places.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "extender/gang_plan/split_search.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostSets = 256;

std::vector<std::uint32_t> ByIndex(const SiteCounts& counts, const LineMatrix& lines) {
  std::vector<std::uint32_t> members(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto found = counts.find(lines.site(i));
    if (found != counts.end()) members[i] = found->second;
  }
  return members;
}

std::vector<SitePair> Crossed(const CostBreakdown& cost, const std::vector<std::uint32_t>& members,
                              const LineMatrix& lines, const LinesFacts& facts) {
  std::vector<SitePair> crossed;
  for (const LineIndex& line : cost.lines) {
    crossed.push_back(PairOf(lines.site(line.a), lines.site(line.b)));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const SitePair inside(lines.site(i), lines.site(i));
    if (members[i] > 1 && facts.contains(inside)) crossed.push_back(inside);
  }
  std::ranges::sort(crossed);
  crossed.erase(std::unique(crossed.begin(), crossed.end()), crossed.end());
  return crossed;
}

// Looks at sets of sites, smaller and smaller, until all lines within are usable.
class Search {
 public:
  explicit Search(const PlacesQuestion& question)
      : question_(question), room_(ByIndex(question.room, question.lines)) {}

  std::vector<Place> Run() {
    std::vector<bool> sites(room_.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
      sites[i] = room_[i] > 0 && question_.usable({Name(i), Name(i)});
    }
    Look(std::move(sites));
    std::ranges::sort(places_, {}, [](const Place& place) {
      return std::tuple(place.step_seconds, place.members.size(), place.members);
    });
    const auto repeated =
        std::unique(places_.begin(), places_.end(),
                    [](const Place& a, const Place& b) { return a.members == b.members; });
    places_.erase(repeated, places_.end());
    return std::move(places_);
  }

 private:
  const std::string& Name(std::size_t site) const { return question_.lines.site(site); }

  std::optional<std::pair<std::size_t, std::size_t>> Unusable(const std::vector<bool>& sites) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (std::size_t j = i + 1; sites[i] && j < sites.size(); ++j) {
        if (sites[j] && !question_.usable(PairOf(Name(i), Name(j)))) return std::pair(i, j);
      }
    }
    return std::nullopt;
  }

  void Look(std::vector<bool> sites) {
    if (seen_.size() >= kMostSets || !seen_.insert(sites).second) return;
    std::uint64_t room = 0;
    for (std::size_t i = 0; i < sites.size(); ++i) room += sites[i] ? room_[i] : 0;
    if (room < question_.members) return;
    if (const auto pair = Unusable(sites)) {
      for (const std::size_t without : {pair->first, pair->second}) {
        std::vector<bool> fewer = sites;
        fewer[without] = false;
        Look(std::move(fewer));
      }
      return;
    }
    Split(sites);
  }

  void Split(const std::vector<bool>& sites) {
    SplitQuestion split{.profile = question_.profile,
                        .lines = question_.lines,
                        .placed = std::vector<std::uint32_t>(room_.size()),
                        .room = room_,
                        .members = question_.members};
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (!sites[i]) split.room[i] = 0;
    }
    for (const fairlead::extender::Split& best : BestSplits(split)) {
      Place place;
      for (std::size_t i = 0; i < best.members.size(); ++i) {
        if (best.members[i] > 0) place.members.emplace(Name(i), best.members[i]);
      }
      place.step_seconds = StepSeconds(question_.profile, best.cost);
      place.lines = Crossed(best.cost, best.members, question_.lines, question_.facts);
      places_.push_back(std::move(place));
    }
  }

  const PlacesQuestion& question_;
  const std::vector<std::uint32_t> room_;
  std::set<std::vector<bool>> seen_;
  std::vector<Place> places_;
};

}  // namespace

double StepSeconds(const CommunicationProfile& profile, const CostBreakdown& cost) {
  return std::chrono::duration<double>(profile.compute_per_step).count() + cost.exposed_seconds;
}

Here StepHere(const CommunicationProfile& profile, const SiteCounts& members,
              const LineMatrix& lines, const LinesFacts& facts) {
  const std::vector<std::uint32_t> by_index = ByIndex(members, lines);
  const CostBreakdown cost = PredictCost(profile, lines, by_index);
  return {StepSeconds(profile, cost), Crossed(cost, by_index, lines, facts)};
}

std::vector<Place> PlacesOf(const PlacesQuestion& question) {
  if (question.members == 0) return {};
  return Search(question).Run();
}

}  // namespace fairlead::extender
