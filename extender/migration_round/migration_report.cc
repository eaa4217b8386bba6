#include "extender/migration_round/migration_report.h"

#include <algorithm>

#include "common/units/human.h"

namespace fairlead::extender {

std::size_t NotActedOn(const MigrationReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.gangs, [](const GangReport& gang) {
    return gang.verdict.reason == MigrationReason::kMove;
  }));
}

std::string TroubleOf(const MigrationReport& report) {
  const bool enforced = report.mode == MigrationMode::kEnforce ||
                        std::ranges::any_of(report.gangs, [](const GangReport& gang) {
                          return gang.verdict.mode == MigrationMode::kEnforce;
                        });
  if (!enforced) return {};
  return "migration has mode enforce, but this version decides only and moves nothing (" +
         Counted(NotActedOn(report), "gang", "gangs") + " would move now); set dry-run";
}

const GangReport* FindReport(const MigrationReport& report, std::string_view gang) {
  const auto found = std::ranges::find_if(
      report.gangs, [&](const GangReport& one) { return one.gang.key.Text() == gang; });
  return found == report.gangs.end() ? nullptr : &*found;
}

}  // namespace fairlead::extender
