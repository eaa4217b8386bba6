// What is decided about moves, and what becomes of them, as the JSON that docs/links-json.md
// describes.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "extender/migration_round/migration_report.h"
#include "extender/moves_in_hand/moves_report.h"

namespace fairlead::extender {

// Ages are counted from `now`. Pure.
std::string WriteMigrationsJson(const MigrationReport& report, const MovesReport& moves,
                                MonotonicTime now, WallTime wall_now);

}  // namespace fairlead::extender
