// How long one scheduler question costs, node look-ups included.
#include <benchmark/benchmark.h>

#include "extender/placement/site_score.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

void ScoreNodes(benchmark::State& state) {
  const auto site_count = static_cast<std::size_t>(state.range(0));
  const auto remaining = static_cast<std::uint32_t>(state.range(1));
  constexpr std::size_t kNodes = 500;
  sample::Links links;
  std::vector<std::string> sites;
  for (std::size_t i = 0; i < site_count; ++i) sites.push_back("site-" + std::to_string(i));
  for (std::size_t i = 0; i < site_count; ++i) {
    for (std::size_t j = i + 1; j < site_count; ++j) {
      const double rtt = 20 + static_cast<double>((i * 7 + j * 13) % 180);
      links.Line(sites[i], sites[j], rtt, rtt + 2);
    }
  }
  const LinkSnapshot snapshot = links.Snapshot();
  PlacementRequest request;
  request.has_gang = true;
  request.members = {{sites[0], 2}};
  request.remaining = remaining;
  for (const std::string& site : sites) request.free_members[site] = 3;
  request.candidate_sites = sites;
  std::vector<std::string> site_of_node;
  for (std::size_t i = 0; i < kNodes; ++i) site_of_node.push_back(sites[i % site_count]);
  for (auto _ : state) {
    const auto scores = ScoreSites(request, snapshot, {});
    int total = 0;
    for (const std::string& site : site_of_node) total += FindSiteScore(scores, site)->rounded;
    benchmark::DoNotOptimize(total);
  }
}

// Sites, members still to be placed.
BENCHMARK(ScoreNodes)->Args({3, 1})->Args({3, 8})->Args({10, 1})->Args({10, 8})->Args({10, 20});

}  // namespace
}  // namespace fairlead::extender
