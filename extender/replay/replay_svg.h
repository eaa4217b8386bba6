// A replay as a picture.
#pragma once

#include <string>

#include "extender/replay/replay_text.h"

namespace fairlead::extender {

// An SVG document that stands alone, time to the right: the state of each line between sites; for
// each gang where it was, where the best course would have had it, and its meter against what
// moving costs.
std::string ReplaySvg(const ReplayReport& report);

}  // namespace fairlead::extender
