#include "extender/metrics/link_publish_collector.h"

#include <string>

#include "common/metrics/family_set.h"

namespace fairlead::extender {

std::vector<prometheus::MetricFamily> LinkPublishCollector::Collect() const {
  FamilySet out("fairlead_extender_");
  const LinkPublishStatus status = status_();
  constexpr char kWrites[] =
      "Link objects written or removed by this replica, and requests about them that failed, by "
      "reason.";
  const auto add = [&](std::string_view result, std::uint64_t count) {
    out.Counter("link_status_writes_total", kWrites, {{"result", std::string(result)}},
                static_cast<double>(count));
  };
  add("written", status.written);
  add("removed", status.removed);
  for (std::size_t i = 0; i < status.failures.size(); ++i) {
    if (status.failures[i] == 0) continue;
    add(kube::ApiFailureName(static_cast<kube::ApiFailure>(i)), status.failures[i]);
  }
  out.Gauge("link_definition", "1 where the API server has links.fairlead.dev, on the leader.", {},
            status.defined ? 1 : 0);
  out.Gauge("link_objects", "Link objects in the API server that this replica keeps.", {},
            static_cast<double>(status.objects));
  return out.Take();
}

}  // namespace fairlead::extender
