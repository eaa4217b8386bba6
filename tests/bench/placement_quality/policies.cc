#include "tests/bench/placement_quality/policies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "extender/gang_plan/plan_gang.h"

namespace fairlead::extender::quality {
namespace {

using Sites = std::vector<std::size_t>;

Sites AllSites(const Question& question) {
  Sites sites(question.room.size());
  std::iota(sites.begin(), sites.end(), std::size_t{0});
  return sites;
}

Counts FillInOrder(const Question& question, const Sites& order) {
  Counts counts(question.room.size());
  std::uint32_t left = question.size;
  for (const std::size_t site : order) {
    counts[site] = std::min(left, question.room[site]);
    left -= counts[site];
  }
  return counts;
}

// One pod after the other to the site of least cost that has room; of equals the first.
template <class Cost>
Counts OneByOne(const Question& question, Cost cost) {
  Counts counts(question.room.size());
  for (std::uint32_t n = 0; n < question.size; ++n) {
    std::optional<std::size_t> best;
    for (std::size_t site = 0; site < counts.size(); ++site) {
      if (counts[site] == question.room[site]) continue;
      if (!best || cost(counts, site) < cost(counts, *best)) best = site;
    }
    ++counts[*best];
  }
  return counts;
}

double UsualMs(const Question& question, std::size_t a, std::size_t b) {
  return question.usual_ms[a * question.room.size() + b];
}

std::uint32_t RoomOf(const Question& question, const Sites& sites) {
  std::uint32_t room = 0;
  for (const std::size_t site : sites) room += question.room[site];
  return room;
}

// Sites that are joined by lines within the tier's limit.
std::vector<Sites> Groups(const Question& question, double limit_ms) {
  std::vector<Sites> groups;
  std::vector<bool> seen(question.room.size());
  for (const std::size_t first : AllSites(question)) {
    if (seen[first]) continue;
    Sites group{first};
    seen[first] = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const std::size_t other : AllSites(question)) {
        if (seen[other] || UsualMs(question, group[i], other) > limit_ms) continue;
        seen[other] = true;
        group.push_back(other);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

Counts ByPlan(const Question& question, std::size_t exact_sites) {
  const GangPlan plan = PlanGang({.profile = question.profile,
                                  .lines = question.lines,
                                  .size = question.size,
                                  .placed = {},
                                  .ranks = {},
                                  .room = question.room,
                                  .excluded = {}},
                                 exact_sites);
  Counts counts;
  for (std::size_t site = 0; site < question.room.size(); ++site) {
    counts.push_back(plan.MembersIn(question.lines.site(site)));
  }
  return counts;
}

}  // namespace

Counts DefaultSpread(const Question& question) {
  return OneByOne(question, [&](const Counts& counts, std::size_t site) {
    const double left = question.room[site] - counts[site];
    return -left / question.capacity[site];
  });
}

Counts RankBased(const Question& question) {
  Sites order = AllSites(question);
  std::ranges::stable_sort(order, {}, [&](std::size_t site) {
    double sum = 0;
    for (const std::size_t other : AllSites(question)) {
      if (other != site) sum += question.lines.At(site, other).rtt_p50_seconds;
    }
    return sum;
  });
  return FillInOrder(question, order);
}

Counts RegionCosts(const Question& question) {
  return OneByOne(question, [&](const Counts& counts, std::size_t site) {
    double sum = 0;
    for (std::size_t other = 0; other < counts.size(); ++other) {
      if (other != site) sum += counts[other] * UsualMs(question, site, other);
    }
    return sum;
  });
}

Counts TierBased(const Question& question) {
  for (const double limit_ms : {0.0, 40.0, std::numeric_limits<double>::infinity()}) {
    std::optional<Sites> best;
    for (Sites& group : Groups(question, limit_ms)) {
      if (RoomOf(question, group) < question.size) continue;
      if (!best || RoomOf(question, group) < RoomOf(question, *best)) best = std::move(group);
    }
    if (!best) continue;
    std::ranges::stable_sort(*best, std::ranges::greater{},
                             [&](std::size_t site) { return question.room[site]; });
    return FillInOrder(question, *best);
  }
  return Counts(question.room.size());
}

Counts Ours(const Question& question) { return ByPlan(question, kExactSites); }

Counts OursLocally(const Question& question) { return ByPlan(question, 0); }

std::span<const Policy> AllPolicies() {
  static constexpr std::array kPolicies{
      Policy{"default spread", DefaultSpread},       Policy{"rank-based", RankBased},
      Policy{"region costs", RegionCosts},           Policy{"tier-based", TierBased},
      Policy{"fairlead, local search", OursLocally}, Policy{"fairlead", Ours}};
  return kPolicies;
}

double LeastSeconds(const Question& question) {
  double least = std::numeric_limits<double>::infinity();
  Counts counts(question.room.size());
  const auto place = [&](auto& self, std::size_t site, std::uint32_t left) -> void {
    if (site + 1 == counts.size()) {
      if (left > question.room[site]) return;
      counts[site] = left;
      least = std::min(least, PredictCost(question.profile, question.lines, counts).seconds);
      counts[site] = 0;
      return;
    }
    for (std::uint32_t n = 0; n <= std::min(left, question.room[site]); ++n) {
      counts[site] = n;
      self(self, site + 1, left - n);
    }
    counts[site] = 0;
  };
  place(place, 0, question.size);
  return least;
}

}  // namespace fairlead::extender::quality
