// A comparison as a program reads it.
#pragma once

#include <string>

#include "linkprobe/record/comparison_text.h"

namespace fairlead::linkprobe {

// One JSON document, indented, with a line break at its end; docs/record.md names the fields.
std::string ComparisonJson(const Comparison& comparison, const NamedRecording& before,
                           const NamedRecording& after);

}  // namespace fairlead::linkprobe
