#include "linkprobe/record/dependence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace fairlead::linkprobe {
namespace {

constexpr double kMostCorrelation = 0.999;

std::vector<double> Ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    const double shared = static_cast<double>(from + to - 1) / 2;
    for (; from < to; ++from) ranks[order[from]] = shared;
  }
  return ranks;
}

}  // namespace

double RankAutocorrelation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const std::vector<double> ranks = Ranks(values);
  const double mean = static_cast<double>(ranks.size() - 1) / 2;
  double variance = 0;
  double covariance = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    variance += (ranks[i] - mean) * (ranks[i] - mean);
    if (i > 0) covariance += (ranks[i] - mean) * (ranks[i - 1] - mean);
  }
  return variance > 0 ? covariance / variance : 0;
}

std::size_t BlockLength(std::span<const double> values) {
  if (values.size() < 3) return 1;
  const auto n = static_cast<double>(values.size());
  const double seen = RankAutocorrelation(values);
  const double r = std::clamp(seen + (1 + 3 * seen) / n + 1 / std::sqrt(n), 0.0, kMostCorrelation);
  const double odds = r / (1 - r * r);
  const double growth = std::max(1.0, std::cbrt(6 * odds * odds));
  return static_cast<std::size_t>(std::max(1.0, std::round(growth * std::cbrt(n))));
}

}  // namespace fairlead::linkprobe
