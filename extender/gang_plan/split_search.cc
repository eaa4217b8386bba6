#include "extender/gang_plan/split_search.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "extender/cost/known_orders.h"
#include "extender/gang_plan/local_search.h"
#include "extender/placement/set_bound.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostKept = 4;
constexpr std::int64_t kNoneTooBad = std::numeric_limits<std::int64_t>::max();

SiteSet FromBits(std::uint32_t bits) {
  SiteSet set;
  for (; bits != 0; bits &= bits - 1) {
    set.push_back(static_cast<std::size_t>(std::countr_zero(bits)));
  }
  return set;
}

// A set and the best rank that a split over it could have.
struct Bounded {
  std::int64_t time_class = 0;
  SiteSet set;
};

std::vector<Bounded> Candidates(const SplitQuestion& question) {
  const SetBound bound(question.profile, question.lines, question.members);
  std::vector<Bounded> candidates;
  const std::uint32_t sets = 1U << question.lines.size();
  for (std::uint32_t bits = 1; bits < sets; ++bits) {
    SiteSet set = FromBits(bits);
    if (CanHold(question, set)) {
      // A bound is met but for rounding; the next class down is surely below.
      const double seconds = bound.Seconds(bits) * (1 - 1e-9);
      candidates.push_back({TimeClass(seconds), std::move(set)});
    }
  }
  std::ranges::stable_sort(candidates, {}, &Bounded::time_class);
  return candidates;
}

std::vector<Split> Exact(const SplitQuestion& question) {
  KnownOrders orders(question.profile, question.lines);
  std::vector<Split> kept;
  for (const Bounded& candidate : Candidates(question)) {
    if (!kept.empty() && candidate.time_class > kept.front().rank.time_class &&
        kept.size() == kMostKept) {
      break;
    }
    const std::int64_t worst = kept.size() == kMostKept ? kept.back().rank.time_class : kNoneTooBad;
    Split split = BestSplit(question, candidate.set, worst, orders.Of(candidate.set));
    const auto at = std::ranges::upper_bound(kept, split.rank, {}, &Split::rank);
    kept.insert(at, std::move(split));
    if (kept.size() > kMostKept) kept.pop_back();
  }
  return kept;
}

}  // namespace

std::vector<Split> BestSplits(const SplitQuestion& question, std::size_t exact_sites) {
  if (question.members == 0) return {};
  const std::size_t limit = std::min(exact_sites, kExactSites);
  if (question.lines.size() <= limit) return Exact(question);
  return SearchLocally(question, kMostKept);
}

}  // namespace fairlead::extender
