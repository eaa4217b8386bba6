// Bandwidth tests as Prometheus families, made at each scrape from the newest status.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "common/base/snapshot.h"
#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// Thread-safe. The status must outlive this.
class LeaseCollector final : public prometheus::Collectable {
 public:
  explicit LeaseCollector(const Snapshot<RegistryStatus>& status) : status_(status) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<RegistryStatus>& status_;
};

}  // namespace fairlead::extender
