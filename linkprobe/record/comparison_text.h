// A comparison as a person reads it in a terminal.
#pragma once

#include <string>

#include "linkprobe/record/comparison.h"

namespace fairlead::linkprobe {

// A recording and the name that it is shown by.
struct NamedRecording {
  std::string name;
  const Recording& recording;
};

// Ends with a line break. Plain ASCII.
std::string ComparisonText(const Comparison& comparison, const NamedRecording& before,
                           const NamedRecording& after);

// The last sentence: how many values are better, the same, worse.
std::string Conclusion(const Comparison& comparison);

}  // namespace fairlead::linkprobe
