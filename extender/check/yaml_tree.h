// A YAML document with all that is in it.
#pragma once

#include <vector>

#include "extender/scheduler_config/yaml_value.h"

namespace YAML {
class Node;
}

namespace fairlead::extender {

struct YamlTree {
  YamlValue root;
  std::vector<Scalar> doubled_keys;  // of all mappings, each time after the first
};

// The document whose first line is that after `lines_before`, merge keys (<<) followed. Throws
// YAML::Exception where it is nested deeper or, its aliases written out, larger than a
// configuration can be.
YamlTree ReadYamlTree(const YAML::Node& root, int lines_before);

}  // namespace fairlead::extender
