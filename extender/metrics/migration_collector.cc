#include "extender/metrics/migration_collector.h"

#include <chrono>
#include <map>
#include <string>

#include "common/metrics/family_set.h"

namespace fairlead::extender {

std::vector<prometheus::MetricFamily> MigrationCollector::Collect() const {
  FamilySet out("fairlead_extender_migration_");
  const auto report = report_.Get();
  std::map<MigrationReason, std::size_t> gangs;
  for (const GangReport& gang : report->gangs) ++gangs[gang.verdict.reason];
  for (const MigrationReason reason : kAllMigrationReasons) {
    const Labels of_reason{{"reason", std::string(MigrationReasonName(reason))}};
    out.Gauge("gangs", "Gangs by the newest verdict about them.", of_reason,
              static_cast<double>(gangs[reason]));
    const auto came = report->verdicts.find(reason);
    out.Counter("verdicts_total", "Times a gang came to this verdict from another.", of_reason,
                came == report->verdicts.end() ? 0 : static_cast<double>(came->second));
  }
  for (const MigrationMode mode :
       {MigrationMode::kOff, MigrationMode::kDryRun, MigrationMode::kEnforce}) {
    out.Gauge("mode", "1 for the configured mode.",
              {{"mode", std::string(MigrationModeName(mode))}},
              report->decided && report->mode == mode ? 1 : 0);
  }
  out.Gauge("held", "1 while too much is bad at once for anything to be moved.", {},
            report->held ? 1 : 0);
  out.Gauge("not_acted_on", "Gangs that are to be moved now, which this version cannot do.", {},
            static_cast<double>(NotActedOn(*report)));
  out.Counter("rounds_total", "Times it was decided about all gangs.", {},
              static_cast<double>(report->rounds));
  out.Gauge("round_seconds", "What the newest round took.", {},
            std::chrono::duration<double>(report->round_took).count());
  return out.Take();
}

}  // namespace fairlead::extender
