#include "deviceplugin/metrics/check_metrics.h"

#include <string>

#include "common/metrics/family_set.h"

namespace fairlead::deviceplugin {

std::vector<prometheus::MetricFamily> NodeCheckMetrics::Collect() const {
  FamilySet out("fairlead_");
  for (const CheckReport& report : *reports_()) {
    out.Gauge("node_check", "1 for the status that a check of this node has now.",
              {{"check", std::string(report.name)},
               {"status", std::string(CheckStatusName(report.status))}},
              1);
  }
  return out.Take();
}

}  // namespace fairlead::deviceplugin
