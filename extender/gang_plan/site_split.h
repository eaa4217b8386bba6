// How many members of a gang each site of a set gets, and which of two ways is the better one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "extender/cost/collective_cost.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender {

// All vectors are indexed like the matrix. Nothing is placed where there is neither `placed` nor
// `room`.
struct SplitQuestion {
  CommunicationProfile profile;
  const LineMatrix& lines;
  std::vector<std::uint32_t> placed;
  std::vector<std::uint32_t> room;  // further members that fit
  std::uint32_t members = 0;        // of the whole gang, at most placed + room
};

// Indices of sites, ascending.
using SiteSet = std::vector<std::size_t>;

// A total order over all splits of a gang that does not look at what is placed: who plans the same
// gang again when some of its members are where the plan had them finds the same split. Times are
// told apart by 1 %; of equals fewer sites are better, then those with the least room, so that
// large gangs find room later, then the order of names, then the less even split.
struct SplitRank {
  std::int64_t time_class = 0;  // floor of log(seconds) / log(1.01)
  std::size_t sites = 0;
  std::uint64_t capacity = 0;  // placed and room, of the whole set
  SiteSet set;
  std::size_t form = 0;
  auto operator<=>(const SplitRank&) const = default;
};

std::int64_t TimeClass(double seconds);

struct Split {
  std::vector<std::uint32_t> members;  // of the whole gang
  CostBreakdown cost;
  SplitRank rank;
};

// Whether the set holds all that is placed, gives each of its sites a member, and has room.
bool CanHold(const SplitQuestion& question, const SiteSet& set);

// The best split over a set that CanHold. The forms tried are packed ones, fullest site first with
// a least number of members 1, 2, 4, ... in each, which keeps the number of parallel edges small,
// and the even one, which keeps the largest site small. Of a pattern that depends on neither, the
// packed one. Members already placed against a form rule it out; when all are, members are added to
// what is placed. Where every split over the set is in a class above `worst`, it is any of them:
// who wants none of those saves most of the work. `order`: PredictCost's for the set, where it is
// known.
Split BestSplit(const SplitQuestion& question, const SiteSet& set,
                std::int64_t worst = std::numeric_limits<std::int64_t>::max(),
                std::vector<std::size_t> order = {});

}  // namespace fairlead::extender
