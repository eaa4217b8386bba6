// What is decided about moves, as the JSON that docs/links-json.md describes.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "extender/migration_round/migration_report.h"

namespace fairlead::extender {

// Ages are counted from `now`. Pure.
std::string WriteMigrationsJson(const MigrationReport& report, MonotonicTime now,
                                WallTime wall_now);

}  // namespace fairlead::extender
