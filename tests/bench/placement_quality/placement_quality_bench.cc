// Prints how good the placements of each policy are, over many traces.
#include <cstdio>
#include <vector>

#include "tests/bench/placement_quality/simulation.h"

int main() {
  using namespace fairlead::extender::quality;
  constexpr std::uint32_t kTraces = 40;
  std::printf(
      "gangs of 2 to 12 over 3 to 5 sites, %u traces; time is a step's communication as\n"
      "predicted, regret against the best of all placements at that moment\n\n",
      kTraces);
  std::printf("%-24s %9s %9s %8s %8s %9s %7s %9s\n", "policy", "mean ms", "p95 ms", "median",
              "mean", "worst", "split", "needless");
  for (const Policy& policy : AllPolicies()) {
    std::vector<Placement> all;
    for (std::uint32_t seed = 0; seed < kTraces; ++seed) {
      const Trace trace = MakeTrace({.sites = 3 + seed % 3}, seed);
      const auto placements = Simulate(trace, policy, {});
      all.insert(all.end(), placements.begin(), placements.end());
    }
    const Summary summary = Summarise(all);
    const auto n = static_cast<double>(summary.placements);
    std::printf("%-24s %9.1f %9.1f %7.1f%% %7.1f%% %8.1f%% %6.1f%% %8.1f%%\n", policy.name.data(),
                summary.mean_seconds * 1e3, summary.p95_seconds * 1e3, summary.median_regret * 100,
                summary.mean_regret * 100, summary.worst_regret * 100,
                static_cast<double>(summary.splits) / n * 100,
                static_cast<double>(summary.needless) / n * 100);
  }
  return 0;
}
