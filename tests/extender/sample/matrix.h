// Random line matrices for the tests of placement.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "extender/cost/line_matrix.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender::sample {

// Sites "a", "b", ... with lines of 5 to 200 ms whose p99 is up to `tail` times p50, and of the
// catalogue's default bandwidth.
inline LineMatrix RandomMatrix(std::size_t n, std::mt19937& random, double tail = 1) {
  std::uniform_real_distribution<double> rtt(5, 200);
  std::uniform_real_distribution<double> factor(1, tail);
  Links links;
  std::vector<std::string> sites;
  for (std::size_t i = 0; i < n; ++i) {
    // Two letters beyond z, so that names sort like indices.
    sites.push_back({static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)});
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double p50 = rtt(random);
      links.Line(sites[i], sites[j], p50, p50 * factor(random));
    }
  }
  return LineMatrix(sites, links.Snapshot(), {}, {});
}

}  // namespace fairlead::extender::sample
