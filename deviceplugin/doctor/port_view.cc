#include "deviceplugin/doctor/port_view.h"

#include <algorithm>
#include <cstddef>

namespace fairlead::deviceplugin {

std::string PortView::Subject() const {
  std::string text = hca->name + " port " + std::to_string(port->number);
  if (!facts->netdev.empty()) text += " (" + facts->netdev + ")";
  return text;
}

std::string PortView::Interface() const {
  return facts->netdev.empty() ? "INTERFACE" : facts->netdev;
}

std::vector<PortView> AllPorts(const NodeFacts& facts) {
  std::vector<PortView> ports;
  const std::size_t hcas = std::min(facts.inventory.hcas.size(), facts.hcas.size());
  for (std::size_t i = 0; i < hcas; ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    const HcaFacts& own = facts.hcas[i];
    for (std::size_t p = 0; p < std::min(hca.ports.size(), own.ports.size()); ++p) {
      ports.push_back({&hca, &own, &hca.ports[p], &own.ports[p]});
    }
  }
  return ports;
}

std::vector<PortView> RocePorts(const NodeFacts& facts) {
  std::vector<PortView> ports = AllPorts(facts);
  std::erase_if(ports, [](const PortView& view) {
    return view.hca->protocol != RdmaProtocol::kRoce ||
           view.port->link_layer != LinkLayer::kEthernet || view.port->state != PortState::kActive;
  });
  return ports;
}

}  // namespace fairlead::deviceplugin
