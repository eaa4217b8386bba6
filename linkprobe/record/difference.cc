#include "linkprobe/record/difference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linkprobe/record/block_bootstrap.h"
#include "linkprobe/record/dependence.h"
#include "linkprobe/record/student_t.h"

namespace fairlead::linkprobe {
namespace {

// The mean of the two middle ones where their number is even. Reorders `values`, which hold one at
// least.
double Median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double Share(std::uint64_t events, std::uint64_t trials) {
  return trials == 0 ? 0 : static_cast<double>(events) / static_cast<double>(trials);
}

struct Score {
  double ratio = 0;
  Interval interval;
};

// Wilson's score interval (1927).
Score ScoreInterval(const Trials& windows, double z) {
  const auto n = static_cast<double>(windows.AllTrials());
  const double p = Share(windows.AllEvents(), windows.AllTrials());
  const double centre = p + z * z / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {p, {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)}};
}

// The variance of the estimate as its blocks tell it: a resample of few blocks varies too little.
double Variance(const Estimate& estimate) {
  const double blocks = estimate.Blocks();
  return estimate.error * estimate.error * blocks / (blocks - 1);
}

}  // namespace

std::uint64_t Trials::AllEvents() const {
  return std::accumulate(events.begin(), events.end(), std::uint64_t{0});
}

std::uint64_t Trials::AllTrials() const {
  return std::accumulate(trials.begin(), trials.end(), std::uint64_t{0});
}

Estimate EstimateMedian(std::span<const double> values, std::uint64_t seed) {
  if (values.empty()) return {};
  Estimate estimate{.windows = values.size(), .block = BlockLength(values)};
  std::vector<double> scratch(values.begin(), values.end());
  estimate.value = Median(scratch);
  estimate.error =
      BootstrapError(values.size(), estimate.block, seed, [&](std::span<const std::size_t> chosen) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          scratch[i] = values[chosen[i]];
        }
        return Median(scratch);
      });
  return estimate;
}

Estimate EstimateRatio(const Trials& windows, std::uint64_t seed) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < windows.trials.size(); ++i) {
    shares.push_back(Share(windows.events[i], windows.trials[i]));
  }
  Estimate estimate{.windows = shares.size(), .block = BlockLength(shares)};
  estimate.value = Share(windows.AllEvents(), windows.AllTrials());
  estimate.error =
      BootstrapError(shares.size(), estimate.block, seed, [&](std::span<const std::size_t> chosen) {
        std::uint64_t events = 0;
        std::uint64_t trials = 0;
        for (const std::size_t i : chosen) {
          events += windows.events[i];
          trials += windows.trials[i];
        }
        return Share(events, trials);
      });
  return estimate;
}

Interval DifferenceInterval(const Estimate& before, const Estimate& after, double confidence) {
  const double difference = after.value - before.value;
  const double a = Variance(before);
  const double b = Variance(after);
  if (a + b <= 0) return {difference, difference};
  const double degrees =
      (a + b) * (a + b) / (a * a / (before.Blocks() - 1) + b * b / (after.Blocks() - 1));
  const double half = StudentQuantile((1 + confidence) / 2, degrees) * std::sqrt(a + b);
  return {difference - half, difference + half};
}

Interval ProportionDifference(const Trials& before, const Trials& after, double confidence) {
  const double z = NormalQuantile((1 + confidence) / 2);
  const Score b = ScoreInterval(before, z);
  const Score a = ScoreInterval(after, z);
  const double difference = a.ratio - b.ratio;
  return {difference - std::hypot(a.ratio - a.interval.lower, b.interval.upper - b.ratio),
          difference + std::hypot(a.interval.upper - a.ratio, b.ratio - b.interval.lower)};
}

}  // namespace fairlead::linkprobe
