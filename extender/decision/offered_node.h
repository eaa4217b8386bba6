// A node that a scheduler offers for a pod.
#pragma once

#include <string_view>

namespace fairlead::extender {

// Views into the request.
struct OfferedNode {
  std::string_view name;
  std::string_view site;  // its site label; empty where the request brings none
  std::string_view raw;   // the Node as it came, in JSON; empty in the names form
};

}  // namespace fairlead::extender
