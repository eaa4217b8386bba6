#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

std::string_view ProtocolName(RdmaProtocol protocol) {
  switch (protocol) {
    case RdmaProtocol::kUnknown:
      return "unknown";
    case RdmaProtocol::kInfiniband:
      return "infiniband";
    case RdmaProtocol::kRoce:
      return "roce";
    case RdmaProtocol::kIwarp:
      return "iwarp";
    case RdmaProtocol::kEfa:
      return "efa";
  }
  return "unknown";
}

std::string_view FunctionName(PciFunction function) {
  switch (function) {
    case PciFunction::kNone:
      return "none";
    case PciFunction::kPhysical:
      return "pf";
    case PciFunction::kVirtual:
      return "vf";
    case PciFunction::kSubfunction:
      return "sf";
  }
  return "none";
}

std::string_view PhysicalStateName(PhysicalState state) {
  switch (state) {
    case PhysicalState::kUnknown:
      return "unknown";
    case PhysicalState::kSleep:
      return "sleep";
    case PhysicalState::kPolling:
      return "polling";
    case PhysicalState::kDisabled:
      return "disabled";
    case PhysicalState::kTraining:
      return "training";
    case PhysicalState::kLinkUp:
      return "link_up";
    case PhysicalState::kErrorRecovery:
      return "error_recovery";
    case PhysicalState::kPhyTest:
      return "phy_test";
  }
  return "unknown";
}

RdmaProtocol ClassifyProtocol(std::string_view driver, std::string_view node_type,
                              LinkLayer link_layer) {
  if (driver == "efa") return RdmaProtocol::kEfa;
  if (driver == "siw" || node_type.starts_with("4:")) return RdmaProtocol::kIwarp;
  // usNIC and what calls itself "unspecified" speak protocols of their own.
  if (!node_type.empty() && !node_type.starts_with("1:")) return RdmaProtocol::kUnknown;
  switch (link_layer) {
    case LinkLayer::kInfiniband:
      return RdmaProtocol::kInfiniband;
    case LinkLayer::kEthernet:
      return RdmaProtocol::kRoce;
    case LinkLayer::kUnspecified:
      break;
  }
  return RdmaProtocol::kUnknown;
}

}  // namespace fairlead::deviceplugin
