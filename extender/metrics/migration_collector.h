// Decisions about moves as Prometheus families, made at each scrape from the newest round.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "common/base/snapshot.h"
#include "extender/migration_round/migration_report.h"

namespace fairlead::extender {

// fairlead_extender_migration_*. Thread-safe. The report must outlive this.
class MigrationCollector final : public prometheus::Collectable {
 public:
  explicit MigrationCollector(const Snapshot<MigrationReport>& report) : report_(report) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<MigrationReport>& report_;
};

}  // namespace fairlead::extender
