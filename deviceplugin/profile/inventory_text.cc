#include "deviceplugin/profile/inventory_text.h"

#include "common/units/rate.h"

namespace fairlead::deviceplugin {

std::string InventoryText(std::span<const AllocatedPort> ports, PodNetwork network) {
  std::string text;
  for (const AllocatedPort& allocated : ports) {
    const Hca& hca = *allocated.hca;
    const HcaPort& port = *allocated.port;
    if (!text.empty()) text += "; ";
    text += allocated.Name() + " " + std::string(ProtocolName(hca.protocol));
    if (port.rate_bits_per_second > 0) text += " " + FormatRate(port.rate_bits_per_second);
    if (hca.pci) text += " " + FormatPci(*hca.pci);
    if (hca.numa_node >= 0) text += " NUMA " + std::to_string(hca.numa_node);
    const GidEntry* best = BestGid(port);
    if (network == PodNetwork::kPod || best == nullptr) continue;
    text += " GID " + std::to_string(best->index) + " " + HumanGid(best->gid);
  }
  return text;
}

}  // namespace fairlead::deviceplugin
