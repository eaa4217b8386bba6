#include "deviceplugin/pool/rejection.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "deviceplugin/pool/glob.h"

namespace fairlead::deviceplugin {
namespace {

using Words = std::vector<std::string>;

std::string Joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

bool Among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool FitsAny(const Words& globs, std::string_view name) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return MatchesGlob(glob, name); });
}

Words Netdevs(const Hca& hca) {
  Words names;
  for (const HcaPort& port : hca.ports) {
    for (const std::string& name : port.netdevs) {
      if (!Among(names, name)) names.push_back(name);
    }
  }
  return names;
}

Words LinkTypes(const Hca& hca) {
  Words names;
  for (const HcaPort& port : hca.ports) {
    const std::string name(LinkLayerName(port.link_layer));
    if (!Among(names, name)) names.push_back(name);
  }
  return names;
}

std::string_view ChoiceName(FunctionChoice choice) {
  switch (choice) {
    case FunctionChoice::kPhysical:
      return FunctionName(PciFunction::kPhysical);
    case FunctionChoice::kVirtual:
      return FunctionName(PciFunction::kVirtual);
    case FunctionChoice::kSubfunction:
      return FunctionName(PciFunction::kSubfunction);
    case FunctionChoice::kNone:
      return FunctionName(PciFunction::kNone);
  }
  return "";
}

// Collects the first rejection; later checks then do nothing.
class Verdict {
 public:
  Verdict(const PoolConfig& pool, const Hca& hca) : pool_(pool), hca_(hca) {}

  // `has` is what the HCA has, empty where it has none.
  void Want(bool fits, RejectReason reason, std::string_view what, const std::string& wanted,
            const std::string& has) {
    if (fits || rejection_) return;
    rejection_ =
        Rejection{pool_.resource, reason,
                  "Pool " + pool_.resource + " wants as " + std::string(what) + " " + wanted +
                      "; " + hca_.name + " has " + (has.empty() ? "none" : has) + "."};
  }
  std::optional<Rejection> Take() { return std::move(rejection_); }

 private:
  const PoolConfig& pool_;
  const Hca& hca_;
  std::optional<Rejection> rejection_;
};

}  // namespace

std::string_view RejectReasonName(RejectReason reason) {
  switch (reason) {
    case RejectReason::kNoUverbs:
      return "no_uverbs";
    case RejectReason::kNoPort:
      return "no_port";
    case RejectReason::kNoRdmaCm:
      return "no_rdma_cm";
    case RejectReason::kVendor:
      return "vendor";
    case RejectReason::kDriver:
      return "driver";
    case RejectReason::kDevice:
      return "device";
    case RejectReason::kInterface:
      return "interface";
    case RejectReason::kPciAddress:
      return "pci_address";
    case RejectReason::kLinkType:
      return "link_type";
    case RejectReason::kFunction:
      return "function";
  }
  return "unknown";
}

std::optional<Rejection> Unusable(const Hca& hca, bool rdma_cm) {
  const auto because = [&](RejectReason reason, const std::string& why) {
    return Rejection{"", reason, hca.name + " " + why};
  };
  if (hca.uverbs.empty()) {
    return because(RejectReason::kNoUverbs,
                   "has no uverbs node under /dev/infiniband, so nothing can open it; load the "
                   "kernel module ib_uverbs.");
  }
  if (hca.ports.empty()) return because(RejectReason::kNoPort, "has no port.");
  if (hca.protocol == RdmaProtocol::kIwarp && !rdma_cm) {
    return because(RejectReason::kNoRdmaCm,
                   "is iWARP, which connects through /dev/infiniband/rdma_cm only, and that is "
                   "missing; load the kernel module rdma_ucm.");
  }
  return std::nullopt;
}

std::optional<Rejection> RejectedBy(const PoolConfig& pool, const Hca& hca) {
  const HcaSelector& select = pool.select;
  Verdict verdict(pool, hca);
  verdict.Want(select.vendors.empty() || Among(select.vendors, hca.vendor), RejectReason::kVendor,
               "PCI vendor", Joined(select.vendors), hca.vendor);
  verdict.Want(select.drivers.empty() || Among(select.drivers, hca.driver), RejectReason::kDriver,
               "driver", Joined(select.drivers), hca.driver);
  verdict.Want(select.devices.empty() || FitsAny(select.devices, hca.name), RejectReason::kDevice,
               "device name", Joined(select.devices), "another");
  const Words netdevs = Netdevs(hca);
  verdict.Want(select.interfaces.empty() ||
                   std::any_of(netdevs.begin(), netdevs.end(),
                               [&](const std::string& n) { return FitsAny(select.interfaces, n); }),
               RejectReason::kInterface, "network interface", Joined(select.interfaces),
               Joined(netdevs));
  const std::string pci = hca.pci ? FormatPci(*hca.pci) : "";
  verdict.Want(select.pci_addresses.empty() || Among(select.pci_addresses, pci),
               RejectReason::kPciAddress, "PCI address", Joined(select.pci_addresses), pci);
  Words link_types;
  for (const LinkLayer layer : select.link_types) link_types.emplace_back(LinkLayerName(layer));
  verdict.Want(std::any_of(hca.ports.begin(), hca.ports.end(),
                           [&](const HcaPort& port) { return TakesPort(select, port); }),
               RejectReason::kLinkType, "link type", Joined(link_types), Joined(LinkTypes(hca)));
  Words functions;
  for (const FunctionChoice choice : select.functions) functions.emplace_back(ChoiceName(choice));
  const std::string function(FunctionName(hca.function));
  verdict.Want(functions.empty() || Among(functions, function), RejectReason::kFunction,
               "PCI function", Joined(functions), function);
  return verdict.Take();
}

bool TakesPort(const HcaSelector& select, const HcaPort& port) {
  return select.link_types.empty() || std::find(select.link_types.begin(), select.link_types.end(),
                                                port.link_layer) != select.link_types.end();
}

}  // namespace fairlead::deviceplugin
