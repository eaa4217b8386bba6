// How the extender ends a probe's stream when it stops.
#pragma once

#include <string_view>

namespace fairlead {

// The message of the UNAVAILABLE status: an ordinary end, to be told from a line that broke.
inline constexpr std::string_view kExtenderStopping = "the extender is stopping";

}  // namespace fairlead
