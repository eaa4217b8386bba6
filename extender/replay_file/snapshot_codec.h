// Points of links in the answers of GET /links.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "common/base/result.h"
#include "extender/replay/link_points.h"

namespace fairlead::extender {

// Adds what one answer tells: each link at the moment of the answer; or, where a link has a history
// (it was asked for with ?from=A&to=B), that link's history alone, as far as it is newer than what
// is known of it. kInvalidArgument names the member, value and remedy.
Status AddSnapshot(const nlohmann::json& document, LinkPointsBuilder& points);

}  // namespace fairlead::extender
