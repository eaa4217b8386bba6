#include "deviceplugin/discovery/link_aggregation.h"

#include <algorithm>
#include <set>
#include <string>

namespace fairlead::deviceplugin {
namespace {

bool SameCard(const PciAddress& a, const PciAddress& b) {
  return a.domain == b.domain && a.bus == b.bus && a.device == b.device;
}

// The bonds that the port's network devices are or belong to.
std::set<std::string> BondsOf(const HcaPort& port, NetdevTable& netdevs) {
  std::set<std::string> bonds;
  for (const std::string& name : port.netdevs) {
    const Netdev* const netdev = netdevs.Find(name);
    if (netdev == nullptr) continue;
    if (!netdev->slaves.empty()) bonds.insert(name);
    if (!netdev->bond.empty()) bonds.insert(netdev->bond);
  }
  return bonds;
}

// The bond's slaves that have nobody else to speak RDMA for them.
std::vector<std::string> Adopted(const Hca& hca, const std::string& bond,
                                 const std::set<PciAddress>& with_rdma, NetdevTable& netdevs) {
  std::vector<std::string> out;
  const Netdev* const master = netdevs.Find(bond);
  if (master == nullptr) return out;
  for (const std::string& name : master->slaves) {
    const Netdev* const slave = netdevs.Find(name);
    if (slave != nullptr && slave->pci && SameCard(*slave->pci, *hca.pci) &&
        !with_rdma.contains(*slave->pci)) {
      out.push_back(name);
    }
  }
  return out;
}

void AddOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

void MarkAggregated(std::vector<Hca>& hcas, NetdevTable& netdevs) {
  std::set<PciAddress> with_rdma;
  for (const Hca& hca : hcas) {
    if (hca.pci && hca.function != PciFunction::kSubfunction) with_rdma.insert(*hca.pci);
  }
  for (Hca& hca : hcas) {
    if (!hca.pci || hca.function == PciFunction::kSubfunction) continue;
    for (HcaPort& port : hca.ports) {
      for (const std::string& bond : BondsOf(port, netdevs)) {
        for (const std::string& name : Adopted(hca, bond, with_rdma, netdevs)) {
          hca.bonded = true;
          AddOnce(port.netdevs, name);
          AddOnce(port.netdevs, bond);
        }
      }
    }
  }
}

}  // namespace fairlead::deviceplugin
