#include "extender/metrics/promql_collector.h"

#include "common/metrics/family_set.h"

namespace fairlead::extender {

std::vector<prometheus::MetricFamily> PromqlCollector::Collect() const {
  FamilySet out("fairlead_extender_");
  const MonotonicTime now = clock_.Now();
  for (const QueryStatus& query : status_().queries) {
    const Labels labels{{"query", query.name}};
    out.Counter("promql_queries_total", "Queries sent to the Prometheus of the configuration.",
                labels, static_cast<double>(query.asked));
    for (const auto& [reason, count] : query.failures) {
      out.Counter("promql_failures_total", "Queries that gave no answer that could be read.",
                  With(labels, "reason", reason), static_cast<double>(count));
    }
    for (const auto& [reason, count] : query.passed_over) {
      out.Counter("promql_samples_passed_over_total",
                  "Samples of answers that are no reading of a line, by reason.",
                  With(labels, "reason", reason), static_cast<double>(count));
    }
    out.Gauge("promql_readings", "Lines that a query tells of now.", labels,
              static_cast<double>(query.readings));
    if (!query.last_answer) continue;
    out.Gauge("promql_answer_age_seconds", "Since the newest answer that could be read.", labels,
              std::chrono::duration<double>(now - *query.last_answer).count());
  }
  return out.Take();
}

}  // namespace fairlead::extender
