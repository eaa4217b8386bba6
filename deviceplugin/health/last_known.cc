#include "deviceplugin/health/last_known.h"

#include <algorithm>
#include <utility>

namespace fairlead::deviceplugin {
namespace {

bool MayBeTheSame(const std::string& guid, const std::string& before) {
  return guid.empty() || before.empty() || guid == before;
}

}  // namespace

Hca WithPortsAsKnown(Hca now, const Hca& before) {
  if (now.name != before.name || !MayBeTheSame(now.node_guid, before.node_guid)) return now;
  // The link layer of its ports is what told InfiniBand from RoCE.
  if (now.ports.empty() && !before.ports.empty()) now.protocol = before.protocol;
  for (const HcaPort& known : before.ports) {
    const auto same = [&known](const HcaPort& port) { return port.number == known.number; };
    if (std::any_of(now.ports.begin(), now.ports.end(), same)) continue;
    now.ports.push_back(known);
    now.ports.back().state = PortState::kNop;
    now.ports.back().physical_state = PhysicalState::kUnknown;
  }
  std::sort(now.ports.begin(), now.ports.end(),
            [](const HcaPort& a, const HcaPort& b) { return a.number < b.number; });
  return now;
}

}  // namespace fairlead::deviceplugin
