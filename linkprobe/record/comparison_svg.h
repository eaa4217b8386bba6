// A comparison as a picture.
#pragma once

#include <string>

#include "linkprobe/record/comparison_text.h"

namespace fairlead::linkprobe {

// An SVG document that stands alone: for each value of each line the windows before and after on a
// common axis, with quartiles, median, the difference and the verdict.
std::string ComparisonSvg(const Comparison& comparison, const NamedRecording& before,
                          const NamedRecording& after);

}  // namespace fairlead::linkprobe
