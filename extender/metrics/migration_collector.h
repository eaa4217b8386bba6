// Decisions about moves and the moves themselves as Prometheus families, made at each scrape.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "common/base/snapshot.h"
#include "extender/migration_round/migration_report.h"
#include "extender/moves_in_hand/moves_report.h"

namespace fairlead::extender {

// fairlead_extender_migration_*. Thread-safe. The reports must outlive this.
class MigrationCollector final : public prometheus::Collectable {
 public:
  MigrationCollector(const Snapshot<MigrationReport>& report, const Snapshot<MovesReport>& moves)
      : report_(report), moves_(moves) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<MigrationReport>& report_;
  const Snapshot<MovesReport>& moves_;
};

}  // namespace fairlead::extender
