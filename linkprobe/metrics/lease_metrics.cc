#include "linkprobe/metrics/lease_metrics.h"

namespace fairlead::linkprobe {

void AddLeaseMetrics(const LeaseBook& book, const std::string& site, std::int64_t day,
                     MonotonicTime now, FamilySet& out) {
  for (const LeaseResult result : kAllLeaseResults) {
    const auto count = book.counts().find(result);
    out.Counter("bandwidth_leases_total", "Bandwidth tests that the extender granted, by result.",
                {{"result", std::string(LeaseResultName(result))}},
                count == book.counts().end() ? 0 : static_cast<double>(count->second));
  }
  for (const auto& [peer_site, rates] : book.rates()) {
    for (const FoundRate& rate : rates) {
      const Labels labels{{"src_site", site},
                          {"dst_site", peer_site},
                          {"source", std::string(TestKindName(rate.kind))}};
      out.Gauge("bandwidth_bytes_per_second",
                "What the newest test of a line found, headers included; with at_least=\"true\" "
                "something else than the line was the limit.",
                With(labels, "at_least", rate.at_least ? "true" : "false"), rate.bytes_per_second);
      out.Gauge("bandwidth_age_seconds", "Age of the newest test of a line.", labels,
                static_cast<double>((now - rate.at).count()) * 1e-9);
    }
  }
  const auto today = book.ledger().days().find(day);
  if (today == book.ledger().days().end()) return;
  for (const auto& [line, bytes] : today->second) {
    out.Gauge("bandwidth_spent_today_bytes", "What tests sent over a line since 0:00 UTC.",
              {{"line", line}}, static_cast<double>(bytes));
  }
}

}  // namespace fairlead::linkprobe
