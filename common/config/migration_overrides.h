// Parts of `migration` that are for some lines, namespaces or priority classes alone.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "common/config/config.h"
#include "common/config/problems.h"
#include "common/config/section_reader.h"

namespace fairlead {

// "off", "dry-run" or "enforce".
Result<MigrationMode> ParseMigrationMode(std::string_view text);

// maxRtt, maxJitter, maxLoss and minBandwidth.
void ReadThresholds(SectionReader& reader, LineThresholds& thresholds);

// The lists `namespaces`, `classes` and `lines` of the section `migration`; the last after `sites`.
void ReadNamespaceModes(SectionReader& reader, MigrationConfig& migration, Problems& problems);
void ReadClassOverrides(SectionReader& reader, MigrationConfig& migration, Problems& problems);
void ReadLineOverrides(SectionReader& reader, Config& config, Problems& problems);

}  // namespace fairlead
