#include "extender/metrics/lease_collector.h"

#include <cstdint>
#include <string>

#include "common/metrics/family_set.h"

namespace fairlead::extender {
namespace {

// What has not happened yet is 0, so that a rate can be taken from the first on.
template <class Counts, class Key>
double CountOf(const Counts& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : static_cast<double>(found->second);
}

}  // namespace

std::vector<prometheus::MetricFamily> LeaseCollector::Collect() const {
  FamilySet out("fairlead_extender_");
  const auto status = status_.Get();
  const LeaseStatus& leases = status->leases;
  for (const LeaseKind kind : kAllLeaseKinds) {
    const Labels of_kind{{"kind", std::string(LeaseKindName(kind))}};
    out.Counter("bandwidth_leases_granted_total", "Bandwidth tests that probes were allowed.",
                of_kind, CountOf(leases.granted, kind));
    for (const LeaseEnd& end : kAllLeaseEnds) {
      out.Counter("bandwidth_leases_ended_total",
                  "Bandwidth tests that probes were allowed, by what became of them.",
                  With(of_kind, "result", LeaseEndName(end)),
                  CountOf(leases.ended, std::pair(kind, end)));
    }
  }
  for (const auto& [subject, wait] : leases.waits) {
    const auto& [link, kind] = subject;
    out.Gauge("bandwidth_wait", "1 for why a link is not tested now, or tested if it is.",
              {{"src_site", link.from_site},
               {"dst_site", link.to_site},
               {"kind", std::string(LeaseKindName(kind))},
               {"reason", std::string(LeaseWaitName(wait))}},
              1);
  }
  for (const auto& [line, bytes] : leases.spent_today) {
    out.Gauge("bandwidth_spent_today_bytes",
              "What tests sent over a line since 0:00 UTC, and what those under way may send.",
              {{"line", line}}, static_cast<double>(bytes));
  }
  return out.Take();
}

}  // namespace fairlead::extender
