// The links as Prometheus families, made at each scrape from the newest snapshot.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "common/base/snapshot.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// Thread-safe. A value that is not known has no series, never a zero; a pair of sites that is no
// longer known disappears. `links` must outlive this.
class LinkCollector final : public prometheus::Collectable {
 public:
  explicit LinkCollector(const Snapshot<LinkSnapshot>& links) : links_(links) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<LinkSnapshot>& links_;
};

}  // namespace fairlead::extender
