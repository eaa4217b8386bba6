// What others than our probes measured of a line.
#pragma once

#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/prometheus_config.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// One value of one query. `number` is seconds or a share of 1, as PrometheusValue says.
struct ExternalReading {
  LinkKey key;
  PrometheusValue value = PrometheusValue::kRtt;
  double number = 0;
  std::string query;   // its name
  MonotonicTime at{};  // when it was asked for: it is at least so old
};

// All that is known, the readings that count first before those that only stand in for them.
struct ExternalReadings {
  std::vector<ExternalReading> readings;
  Nanoseconds stale_after = Seconds(90);
};

}  // namespace fairlead::extender
