#include "linkprobe/record/axis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fairlead::linkprobe {
namespace {

constexpr double kRoom = 0.06;  // of the width, at each end
constexpr double kTicks = 4;    // wanted
constexpr std::size_t kMostTicks = 12;

// 1, 2 or 5 times a power of ten, near `step`.
double Round(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  const double digits = step / power;
  if (digits < 1.5) return power;
  if (digits < 3.5) return 2 * power;
  if (digits < 7.5) return 5 * power;
  return 10 * power;
}

std::vector<double> TicksBetween(double low, double high) {
  const double step = Round((high - low) / kTicks);
  std::vector<double> ticks;
  // Counted, since adding a step that is lost in the value's last digit would never end.
  const double first = std::ceil(low / step);
  for (std::size_t i = 0; i < kMostTicks; ++i) {
    const double tick = (first + static_cast<double>(i)) * step;
    if (tick > high) break;
    ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace

double SortedQuantile(const std::vector<double>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size())) - 1;
  const double last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::clamp(rank, 0.0, last))];
}

double Axis::Place(double value) const {
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Axis FitAxis(std::vector<double> values, double least, double narrowest) {
  Axis axis;
  if (!values.empty()) {
    std::sort(values.begin(), values.end());
    const double low = SortedQuantile(values, 0.005);
    const double high = SortedQuantile(values, 0.995);
    double width = high - low;
    if (width <= std::abs(high) * 1e-9) width = std::abs(high) * 0.01;
    width = std::max(width, narrowest);
    axis.low = std::max(least, low - kRoom * width);
    axis.high = std::max(high, low + width) + kRoom * width;
  }
  axis.ticks = TicksBetween(axis.low, axis.high);
  return axis;
}

}  // namespace fairlead::linkprobe
