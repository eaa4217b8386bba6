// Container Device Interface: the device nodes of each HCA as a file that container runtimes read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

struct CdiDevice {
  std::string name;  // the offered device's id without its slot
  std::vector<DeviceNode> nodes;
};

// The specification as JSON, for a `kind` such as "fairlead.dev/hca". Version 0.5.0 of the
// interface, the first to tell a node's path on the host from that in the container.
std::string CdiSpec(std::string_view kind, const std::vector<CdiDevice>& devices);

// Where the specification of this program's HCAs lies in the directory of specifications.
inline std::string CdiPath(const std::string& directory) {
  return directory + "/fairlead.dev-hca.json";
}

// A device's name as an Allocate answer spells it: "fairlead.dev/hca=0000-3b-00-0".
std::string CdiName(std::string_view kind, std::string_view device);

}  // namespace fairlead::deviceplugin
