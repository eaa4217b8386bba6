// Two series of windows held against each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fairlead::linkprobe {

// What a series says: one number, its standard error, and how many of its windows hang together.
struct Estimate {
  double value = 0;
  double error = 0;
  std::size_t windows = 0;
  std::size_t block = 1;

  // Stretches of the series that say something of their own.
  double Blocks() const { return static_cast<double>(windows) / static_cast<double>(block); }
};

struct Interval {
  double lower = 0;
  double upper = 0;
};

// Events among trials, window by window.
struct Trials {
  std::vector<std::uint64_t> events;
  std::vector<std::uint64_t> trials;  // each at least 1, one for each of `events`

  std::uint64_t AllEvents() const;
  std::uint64_t AllTrials() const;
};

// The median of the values, in order of time. Both are repeatable: the same seed, the same error.
Estimate EstimateMedian(std::span<const double> values, std::uint64_t seed);
// All events over all trials.
Estimate EstimateRatio(const Trials& windows, std::uint64_t seed);

// after - before with `confidence` (0..1): Student's t with the degrees of freedom of Welch and
// Satterthwaite, a block counting as one observation. Both need more than one block.
Interval DifferenceInterval(const Estimate& before, const Estimate& after, double confidence);

// The difference of two proportions of independent trials, after - before: Newcombe's hybrid score
// interval (1998, method 10), which is honest also where nothing was lost. Both need a trial.
Interval ProportionDifference(const Trials& before, const Trials& after, double confidence);

}  // namespace fairlead::linkprobe
