#include "extender/gang_plan/site_split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fairlead::extender {
namespace {

using Counts = std::vector<std::uint32_t>;

std::uint64_t CapacityOf(const SplitQuestion& question, std::size_t site) {
  return std::uint64_t{question.placed[site]} + question.room[site];
}

std::uint32_t Capped(std::uint64_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

// Counts over a set between bounds of each site, by place in the set.
class Filling {
 public:
  Filling(const SplitQuestion& question, const SiteSet& set, bool on_top_of_placed)
      : question_(question), set_(set) {
    for (const std::size_t site : set) {
      most_.push_back(Capped(CapacityOf(question, site)));
      least_.push_back(std::max(on_top_of_placed ? question.placed[site] : 0U, 1U));
    }
  }

  // The site with the most room first, of equals the one that sorts first.
  std::optional<Counts> Packed(std::uint32_t least) const {
    Counts counts = least_;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = std::max(counts[i], std::min(least, most_[i]));
    }
    std::uint64_t taken = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (taken > question_.members) return std::nullopt;
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t i) { return most_[i]; });
    for (const std::size_t i : order) {
      const std::uint32_t more =
          std::min(most_[i] - counts[i], static_cast<std::uint32_t>(question_.members - taken));
      counts[i] += more;
      taken += more;
    }
    return Whole(counts);
  }

  // As even as the bounds allow; what is left over goes to the sites that sort first.
  Counts Even() const {
    std::uint32_t low = 0;
    std::uint32_t high = question_.members;
    while (low < high) {
      const std::uint32_t level = low + (high - low + 1) / 2;
      if (SumAt(level) <= question_.members) {
        low = level;
      } else {
        high = level - 1;
      }
    }
    Counts counts;
    for (std::size_t i = 0; i < most_.size(); ++i) counts.push_back(At(i, low));
    std::uint64_t left = question_.members - SumAt(low);
    for (std::size_t i = 0; i < counts.size() && left > 0; ++i) {
      if (counts[i] != low || counts[i] == most_[i]) continue;
      ++counts[i];
      --left;
    }
    return Whole(counts);
  }

 private:
  std::uint32_t At(std::size_t i, std::uint32_t level) const {
    return std::clamp(level, least_[i], most_[i]);
  }
  std::uint64_t SumAt(std::uint32_t level) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < most_.size(); ++i) sum += At(i, level);
    return sum;
  }
  Counts Whole(const Counts& counts) const {
    Counts whole(question_.lines.size());
    for (std::size_t i = 0; i < set_.size(); ++i) whole[set_[i]] = counts[i];
    return whole;
  }

  const SplitQuestion& question_;
  const SiteSet& set_;
  Counts most_;
  Counts least_;
};

// Whether the time depends on how evenly members are spread over a set of sites.
bool DependsOnEvenness(CommPattern pattern) {
  switch (pattern) {
    case CommPattern::kHierarchical:
    case CommPattern::kLocalSgd:
    case CommPattern::kTree:
      return true;
    case CommPattern::kAllreduce:
    case CommPattern::kPipeline:
      return false;
  }
  return true;
}

// Every form, the less even first.
std::vector<Counts> Forms(const SplitQuestion& question, const SiteSet& set,
                          bool on_top_of_placed) {
  const Filling filling(question, set, on_top_of_placed);
  std::vector<Counts> forms;
  const auto add = [&forms](std::optional<Counts> form) {
    if (form && std::ranges::find(forms, *form) == forms.end()) forms.push_back(std::move(*form));
  };
  add(filling.Packed(1));
  if (set.size() == 1 || !DependsOnEvenness(question.profile.pattern)) return forms;
  const std::uint64_t even = question.members / set.size();
  for (std::uint64_t least = 2; least < even; least *= 2) add(filling.Packed(Capped(least)));
  add(filling.Even());
  return forms;
}

bool Respects(const Counts& form, const Counts& placed) {
  return std::ranges::equal(form, placed, std::ranges::greater_equal{});
}

// The part of the time that sites spend on their own: that of the slowest.
double InsideSeconds(const SplitQuestion& question, const SiteSet& set, const Counts& members) {
  double slowest = 0;
  Counts alone(question.lines.size());
  for (const std::size_t site : set) {
    alone[site] = members[site];
    slowest = std::max(slowest, PredictCost(question.profile, question.lines, alone).seconds);
    alone[site] = 0;
  }
  return slowest;
}

// Whether some form between the packed and the even one may be in a better class than the packed:
// none has fewer parallel edges than that, and none a smaller largest site than the even one.
bool EvennessHelps(const SplitQuestion& question, const SiteSet& set, const Split& packed,
                   const Counts& even, std::int64_t worst) {
  const double most = InsideSeconds(question, set, packed.members);
  const double least = InsideSeconds(question, set, even);
  const std::int64_t best = TimeClass(packed.cost.seconds - std::max(0.0, most - least));
  return best < packed.rank.time_class && best <= worst;
}

}  // namespace

std::int64_t TimeClass(double seconds) {
  if (!(seconds > 0)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::floor(std::log(seconds) / std::log(1.01)));
}

bool CanHold(const SplitQuestion& question, const SiteSet& set) {
  std::uint64_t capacity = 0;
  std::uint64_t least = 0;
  for (const std::size_t site : set) {
    const std::uint64_t own = CapacityOf(question, site);
    if (own == 0) return false;
    capacity += own;
    least += std::max(question.placed[site], 1U);
  }
  if (capacity < question.members || least > question.members) return false;
  for (std::size_t site = 0; site < question.placed.size(); ++site) {
    if (question.placed[site] > 0 && !std::ranges::binary_search(set, site)) return false;
  }
  return true;
}

Split BestSplit(const SplitQuestion& question, const SiteSet& set, std::int64_t worst,
                std::vector<std::size_t> order) {
  std::uint64_t capacity = 0;
  for (const std::size_t site : set) capacity += CapacityOf(question, site);
  std::optional<Split> best;
  // Every form has members in all sites of the set.
  const bool one_order = !OrderDependsOnMembers(question.profile.pattern);
  const auto price = [&](const Counts& members, std::size_t form) {
    const auto* const known_order = order.empty() ? nullptr : &order;
    Split split{.members = members,
                .cost = PredictCost(question.profile, question.lines, members, known_order),
                .rank = {}};
    if (one_order) order = split.cost.order;
    split.rank = {TimeClass(split.cost.seconds), set.size(), capacity, set, form};
    return split;
  };
  const auto offer = [&](Split split) {
    if (!best || split.rank < best->rank) best = std::move(split);
  };
  const std::vector<Counts> forms = Forms(question, set, false);
  Split packed = price(forms.front(), 0);
  const bool enough =
      forms.size() == 1 || !EvennessHelps(question, set, packed, forms.back(), worst);
  if (Respects(forms.front(), question.placed)) offer(std::move(packed));
  if (best && enough) return *best;
  for (std::size_t form = 1; form < forms.size(); ++form) {
    if (Respects(forms[form], question.placed)) offer(price(forms[form], form));
  }
  if (best) return *best;
  const std::vector<Counts> added = Forms(question, set, true);
  for (std::size_t form = 0; form < added.size(); ++form) offer(price(added[form], form));
  return *best;
}

}  // namespace fairlead::extender
