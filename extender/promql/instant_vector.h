// What a Prometheus answers to an instant query.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fairlead::extender {

struct VectorSample {
  std::map<std::string, std::string> labels;
  double number = 0;  // also NaN and the infinities
};

// A scalar is one sample without labels.
struct InstantVector {
  std::vector<VectorSample> samples;
  std::vector<std::string> warnings;
};

}  // namespace fairlead::extender
