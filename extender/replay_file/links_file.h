// Recorded links, from a file's text.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "extender/link/line_catalogue.h"
#include "extender/replay/link_trace.h"

namespace fairlead::extender {

// JSON, one document a line or one that is the whole text: answers of GET /links.json, with or
// without histories, or those of a Prometheus to a range query; not of both. At least two moments
// of some link. kInvalidArgument names the file, line, value and remedy. `lines` tells what round
// trip is too short between two sites.
Result<LinkTrace> ParseLinks(const std::string& name, std::string_view text,
                             const LineCatalogue& lines);

}  // namespace fairlead::extender
