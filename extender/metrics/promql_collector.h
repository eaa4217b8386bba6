// How asking a Prometheus goes, as metrics.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <vector>

#include "common/base/clock.h"
#include "extender/promql_api/promql_status.h"

namespace fairlead::extender {

// Thread-safe if `status` is.
class PromqlCollector final : public prometheus::Collectable {
 public:
  PromqlCollector(std::function<PromqlStatus()> status, const Clock& clock)
      : status_(std::move(status)), clock_(clock) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<PromqlStatus()> status_;
  const Clock& clock_;
};

}  // namespace fairlead::extender
