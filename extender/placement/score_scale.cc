#include "extender/placement/score_scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace fairlead::extender {
namespace {

double Points(double seconds, double best_seconds) {
  if (seconds <= best_seconds) return kMostPoints;
  if (best_seconds <= 0) return 0;
  const double points = kMostPoints * (1 - std::log(seconds / best_seconds) / std::log(8.0));
  return std::clamp(points, 0.0, kMostPoints);
}

}  // namespace

std::vector<double> PointsOf(const std::vector<TimedChoice>& choices, const TimedChoice& best) {
  std::vector<std::size_t> order(choices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return choices[i].seconds; });
  std::vector<double> points(choices.size());
  TimedChoice anchor = best;
  for (std::size_t begin = 0; begin < order.size();) {
    // Choices of equal time are one step of the sweep, or their order would matter.
    std::size_t end = begin;
    double least_sure = 0;
    while (end < order.size() && choices[order[end]].seconds == choices[order[begin]].seconds) {
      least_sure = std::max(least_sure, choices[order[end]].uncertainty_ratio);
      ++end;
    }
    const double seconds = choices[order[begin]].seconds;
    const double noise = std::max({kNoise, anchor.uncertainty_ratio, least_sure});
    if (seconds > anchor.seconds * (1 + noise)) anchor = {seconds, least_sure};
    for (; begin < end; ++begin) points[order[begin]] = Points(anchor.seconds, best.seconds);
  }
  return points;
}

}  // namespace fairlead::extender
