#include "deviceplugin/profile/allocated_port.h"

#include <algorithm>
#include <tuple>

#include "deviceplugin/pool/rejection.h"

namespace fairlead::deviceplugin {

std::string AllocatedPort::Name() const { return hca->name + ":" + std::to_string(port->number); }

bool AllocatedPort::IsRoce() const {
  return hca->protocol == RdmaProtocol::kRoce && port->link_layer == LinkLayer::kEthernet;
}

bool AllocatedPort::SpeaksVerbs() const {
  return IsRoce() || port->link_layer == LinkLayer::kInfiniband;
}

std::vector<AllocatedPort> PortsOf(std::span<const Hca* const> hcas, const HcaSelector& select) {
  std::vector<AllocatedPort> out;
  for (const Hca* hca : hcas) {
    const auto wanted = [&](const HcaPort& port) { return TakesPort(select, port); };
    const bool any_active = std::any_of(
        hca->ports.begin(), hca->ports.end(),
        [&](const HcaPort& port) { return wanted(port) && port.state == PortState::kActive; });
    for (const HcaPort& port : hca->ports) {
      if (wanted(port) && (!any_active || port.state == PortState::kActive)) {
        out.push_back({hca, &port});
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const AllocatedPort& a, const AllocatedPort& b) {
    return std::tie(a.hca->name, a.port->number) < std::tie(b.hca->name, b.port->number);
  });
  return out;
}

const RankedGid* BestVerdict(const HcaPort& port) {
  const auto best = std::find_if(port.ranked.begin(), port.ranked.end(),
                                 [](const RankedGid& ranked) { return ranked.rank == 1; });
  return best == port.ranked.end() ? nullptr : &*best;
}

const GidEntry* BestGid(const HcaPort& port) {
  const RankedGid* verdict = BestVerdict(port);
  return verdict == nullptr ? nullptr : FindGid(port.gids, verdict->index);
}

}  // namespace fairlead::deviceplugin
