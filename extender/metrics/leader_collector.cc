#include "extender/metrics/leader_collector.h"

#include <string>
#include <utility>

#include "common/metrics/family_set.h"

namespace fairlead::extender {
namespace {

void AddFailures(const char* name, const char* help, const FailureCounts& counts, FamilySet& out) {
  for (int i = 0; i < kube::kApiFailures; ++i) {
    const std::string reason(kube::ApiFailureName(static_cast<kube::ApiFailure>(i)));
    out.Counter(name, help, {{"reason", reason}},
                static_cast<double>(counts[static_cast<std::size_t>(i)]));
  }
}

}  // namespace

LeaderCollector::LeaderCollector(const Snapshot<Leadership>& leadership,
                                 std::function<ElectionStatus()> status, const Clock& clock)
    : leadership_(leadership), status_(std::move(status)), clock_(clock) {}

std::vector<prometheus::MetricFamily> LeaderCollector::Collect() const {
  FamilySet out("fairlead_extender_");
  const auto leadership = leadership_.Get();
  out.Gauge("leading", "1 while this replica leads.", {},
            leadership->LeadsAt(clock_.Now()) ? 1 : 0);
  out.Gauge("leader_term", "Term of the newest leader known; 0 where nothing is elected.", {},
            static_cast<double>(leadership->term));
  out.Counter("follower_refusals_total",
              "Requests of schedulers refused because this replica does not lead.", {},
              static_cast<double>(follower_refusals_.load(std::memory_order_relaxed)));
  if (!status_) return out.Take();
  const ElectionStatus status = status_();
  constexpr char kChanges[] = "Times this replica began to lead, and ended.";
  out.Counter("leaderships_total", kChanges, {{"change", "gained"}},
              static_cast<double>(status.gained));
  out.Counter("leaderships_total", kChanges, {{"change", "lost"}},
              static_cast<double>(status.lost));
  AddFailures("lease_failures_total",
              "Requests about the Lease that failed; a conflict is an ordinary one.",
              status.lease_failures, out);
  AddFailures("leader_label_failures_total", "Attempts to label a pod that failed.",
              status.label_failures, out);
  return out.Take();
}

}  // namespace fairlead::extender
