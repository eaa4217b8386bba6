// The gangs of a replay, from a file's text.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/config/migration_config.h"
#include "extender/replay/link_trace.h"
#include "extender/replay/replay_jobs.h"

namespace fairlead::extender {

// YAML or JSON, strict as the configuration is; docs/migration.md has its keys. kInvalidArgument
// has one line a problem, with file, line, value and remedy: what cannot be read; sites and lines
// that `links` does not know; gangs for which there is no room; costs that make no sense; no gang
// that runs while links were recorded.
Result<ReplayJobs> ParseJobs(const std::string& name, std::string_view text, const LinkTrace& links,
                             const MovingCostDefaults& costs);

}  // namespace fairlead::extender
