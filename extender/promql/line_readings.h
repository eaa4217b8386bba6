// Which samples of a query are readings of which lines.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/prometheus_config.h"
#include "extender/link/external_reading.h"
#include "extender/promql/instant_vector.h"

namespace fairlead::extender {

// Samples that are no reading, by reason; `example` tells of the first one in a sentence.
struct SamplesPassedOver {
  std::uint64_t no_label = 0;      // a label that names an end is missing
  std::uint64_t unknown_site = 0;  // a label names no site, or both the same
  std::uint64_t no_number = 0;     // NaN or infinite
  std::uint64_t implausible = 0;   // an RTT not in 0..1 h, a share not in 0..1
  std::uint64_t repeated = 0;      // a second series for the same line: the worse one counts
  std::string example;

  std::uint64_t Total() const {
    return no_label + unknown_site + no_number + implausible + repeated;
  }
};

struct LineReadings {
  std::vector<ExternalReading> readings;  // one a line, sorted by it
  SamplesPassedOver passed_over;
};

// `asked_at` is when the query was sent. Pure.
LineReadings ReadLines(const PrometheusQuery& query, const InstantVector& vector,
                       const std::set<std::string>& sites, MonotonicTime asked_at);

}  // namespace fairlead::extender
