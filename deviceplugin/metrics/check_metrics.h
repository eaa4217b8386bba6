// The node's checks, for Prometheus.
#pragma once

#include <prometheus/collectable.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "deviceplugin/doctor/findings.h"

namespace fairlead::deviceplugin {

// fairlead_node_check{check,status}: 1 for the status that each check has now. Nothing before the
// first look at the node. Thread-safe if the source is.
class NodeCheckMetrics final : public prometheus::Collectable {
 public:
  using Source = std::function<std::shared_ptr<const std::vector<CheckReport>>()>;

  explicit NodeCheckMetrics(Source reports) : reports_(std::move(reports)) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Source reports_;
};

}  // namespace fairlead::deviceplugin
