// Runs a policy through a trace and judges each of its placements.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tests/bench/placement_quality/policies.h"
#include "tests/bench/placement_quality/trace.h"

namespace fairlead::extender::quality {

struct Placement {
  double seconds = 0;          // predicted communication time of a step
  double least_seconds = 0;    // of the best of all placements at that moment
  bool split = false;          // over several sites
  bool needless = false;       // though one site could hold the gang
  std::vector<double> others;  // what `beside` would have come to at that moment, in order
};

// Gangs that do not fit at all when they come are left out; room is the same in sum for every
// policy, so those are the same gangs for all. `beside` are asked at each moment too, without
// consequence.
std::vector<Placement> Simulate(const Trace& trace, const Policy& policy,
                                std::span<const Policy> beside);

struct Summary {
  double mean_seconds = 0;
  double p95_seconds = 0;
  double median_regret = 0;  // seconds / least_seconds - 1
  double mean_regret = 0;
  double worst_regret = 0;
  std::size_t placements = 0;
  std::size_t splits = 0;
  std::size_t needless = 0;
};

Summary Summarise(std::span<const Placement> placements);

}  // namespace fairlead::extender::quality
