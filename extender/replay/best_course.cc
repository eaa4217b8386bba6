#include "extender/replay/best_course.h"

#include <algorithm>
#include <limits>

namespace fairlead::extender {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Seconds; less is no gain but rounding.
constexpr double kNothing = 1e-9;

}  // namespace

void PlaceCosts::Add(WallTime at, double seconds, const std::vector<Here>& here,
                     std::size_t taken) {
  segments_.push_back({at, seconds, taken});
  table_.insert(table_.end(), here.begin(), here.end());
}

BestCourse FindBestCourse(const PlaceCosts& costs) {
  const std::size_t places = costs.places();
  std::vector<double> least(places, kNever);
  least[costs.first()] = 0;
  // Where each place was come from in each segment; itself: by staying.
  std::vector<std::uint32_t> from(costs.segments() * places);
  for (std::size_t s = 0; s < costs.segments(); ++s) {
    std::size_t source = places;
    for (std::size_t p = 0; p < places && costs.move_seconds(); ++p) {
      if (!costs.Of(s, p).may_leave || least[p] == kNever) continue;
      if (source == places || least[p] < least[source]) source = p;
    }
    std::vector<double> next = least;
    for (std::size_t p = 0; p < places; ++p) {
      from[s * places + p] = static_cast<std::uint32_t>(p);
      if (source != places && source != p && costs.Of(s, p).may_enter) {
        const double moved = least[source] + *costs.move_seconds();
        if (moved < next[p] - kNothing) {
          next[p] = moved;
          from[s * places + p] = static_cast<std::uint32_t>(source);
        }
      }
      next[p] += costs.Lost(s, p);
    }
    least = std::move(next);
  }
  BestCourse course;
  std::size_t place = static_cast<std::size_t>(std::ranges::min_element(least) - least.begin());
  if (least[costs.first()] <= least[place] + kNothing) place = costs.first();
  course.lost_seconds = least[place];
  for (std::size_t s = costs.segments(); s-- > 0;) {
    const std::size_t before = from[s * places + place];
    if (before != place) course.changes.push_back({s, place});
    place = before;
  }
  std::ranges::reverse(course.changes);
  return course;
}

double LostStaying(const PlaceCosts& costs, std::size_t place, std::size_t segment) {
  double lost = 0;
  for (std::size_t s = segment; s < costs.segments(); ++s) lost += costs.Lost(s, place);
  return lost;
}

double LostAsTaken(const PlaceCosts& costs) {
  double lost = 0;
  std::size_t place = costs.first();
  for (std::size_t s = 0; s < costs.segments(); ++s) {
    if (costs.taken(s) != place) lost += costs.move_seconds().value_or(0);
    place = costs.taken(s);
    lost += costs.Lost(s, place);
  }
  return lost;
}

}  // namespace fairlead::extender
