// Whether a move that has not disturbed its gang yet is still wanted, and may go on.
#pragma once

#include <span>
#include <string>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/migration_round/migration_report.h"
#include "extender/relocation/rivalry.h"

namespace fairlead::extender {

struct Standing {
  std::string unwanted;  // why it is to be given up; empty: it is not
  std::string holds;     // what it waits for; empty: nothing
};

// By the newest decision about the gang. One that was not judged, or not for longer than
// `longest_age`, waits: what is not known neither begins nor ends a move.
Standing StandingByVerdict(const MigrationReport& report, const GangKey& gang,
                           Nanoseconds longest_age, MonotonicTime now);

// The same, and by the other moves that are open: at most so many as may be under way in the
// cluster, and to one site.
Standing WithRivals(Standing standing, const OpenMove& mine, std::span<const OpenMove> all,
                    const MigrationLimits& limits);

}  // namespace fairlead::extender
