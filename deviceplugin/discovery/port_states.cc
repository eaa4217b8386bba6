#include "deviceplugin/discovery/port_states.h"

#include <algorithm>
#include <string>
#include <vector>

#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/hca_port.h"

namespace fairlead::deviceplugin {

bool PortStatesDiffer(const HostFiles& files, const Hca& hca) {
  std::vector<std::string> problems;  // the reading that follows a difference tells them
  AttributeReader reader(files, problems);
  return std::any_of(hca.ports.begin(), hca.ports.end(), [&](const HcaPort& port) {
    const std::string base =
        "/sys/class/infiniband/" + hca.name + "/ports/" + std::to_string(port.number);
    return ReadPortState(base, reader) != port.state ||
           ReadPhysicalState(base, reader) != port.physical_state;
  });
}

}  // namespace fairlead::deviceplugin
