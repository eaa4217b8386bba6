// Links and probes as Prometheus families, made at each scrape from the newest snapshots.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "common/base/snapshot.h"
#include "extender/link/link_view.h"
#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// Thread-safe. A value that is not known has no series, never a zero; a pair of sites that is no
// longer known disappears. Both snapshots must outlive this.
class LinkCollector final : public prometheus::Collectable {
 public:
  LinkCollector(const Snapshot<LinkSnapshot>& links, const Snapshot<RegistryStatus>& status)
      : links_(links), status_(status) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<LinkSnapshot>& links_;
  const Snapshot<RegistryStatus>& status_;
};

}  // namespace fairlead::extender
