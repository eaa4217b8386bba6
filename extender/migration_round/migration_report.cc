#include "extender/migration_round/migration_report.h"

#include <algorithm>

namespace fairlead::extender {

const GangReport* FindReport(const MigrationReport& report, std::string_view gang) {
  const auto found = std::ranges::find_if(
      report.gangs, [&](const GangReport& one) { return one.gang.key.Text() == gang; });
  return found == report.gangs.end() ? nullptr : &*found;
}

}  // namespace fairlead::extender
