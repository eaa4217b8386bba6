// One resource of the API, as lists and watches name it.
#pragma once

#include <string>

namespace fairlead::kube {

struct Resource {
  std::string name;            // as RBAC calls it: "pods", "podgroups.scheduling.volcano.sh"
  std::string path;            // "/api/v1/pods", or of one namespace
  std::string label_selector;  // empty: all
  std::string field_selector;
  // The cluster may not have it (a custom resource): it then counts as empty, and is looked for
  // again each minute.
  bool optional = false;
};

}  // namespace fairlead::kube
