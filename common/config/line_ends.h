// Sites by which other parts of the configuration name a place or a line.
#pragma once

#include <string>
#include <utility>

#include "common/config/config.h"
#include "common/config/section_reader.h"

namespace fairlead {

bool IsSite(const Config& config, const std::string& name);

// Empty for a known site, else the complaint.
std::string UnknownSite(const Config& config, const std::string& name);

// The two ends of the key `between`; both empty after a complaint.
std::pair<std::string, std::string> ReadLineEnds(SectionReader& reader, const Config& config);

}  // namespace fairlead
