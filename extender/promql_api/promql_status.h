// How asking a Prometheus goes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/promql/line_readings.h"

namespace fairlead::extender {

// One query. Counters never fall.
struct QueryStatus {
  std::string name;
  std::uint64_t asked = 0;
  std::map<std::string, std::uint64_t> failures;     // by reason: kube::ApiFailureName, "answer"
  std::map<std::string, std::uint64_t> passed_over;  // samples, by reason
  std::size_t readings = 0;                          // lines known by it now
  std::optional<MonotonicTime> last_answer;          // newest that could be read
  std::string trouble;  // what was wrong the last time, one sentence; empty where nothing was
};

struct PromqlStatus {
  std::vector<QueryStatus> queries;
};

}  // namespace fairlead::extender
