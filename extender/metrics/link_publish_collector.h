// How writing Link objects goes, as metrics.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <vector>

#include "extender/link_status_api/link_publish_status.h"

namespace fairlead::extender {

// fairlead_extender_link_status_writes_total, _link_objects and
// _link_definition. Thread-safe if `status` is.
class LinkPublishCollector final : public prometheus::Collectable {
 public:
  explicit LinkPublishCollector(std::function<LinkPublishStatus()> status)
      : status_(std::move(status)) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<LinkPublishStatus()> status_;
};

}  // namespace fairlead::extender
