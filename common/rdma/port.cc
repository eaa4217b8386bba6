#include "common/rdma/port.h"

namespace fairlead {

std::string_view LinkLayerName(LinkLayer layer) {
  switch (layer) {
    case LinkLayer::kUnspecified:
      return "unspecified";
    case LinkLayer::kInfiniband:
      return "infiniband";
    case LinkLayer::kEthernet:
      return "ethernet";
  }
  return "unspecified";
}

std::string_view GidTypeName(GidType type) {
  switch (type) {
    case GidType::kInfiniband:
      return "IB";
    case GidType::kRoceV1:
      return "RoCE v1";
    case GidType::kRoceV2:
      return "RoCE v2";
  }
  return "unknown";
}

std::string_view PortStateName(PortState state) {
  switch (state) {
    case PortState::kNop:
      return "nop";
    case PortState::kDown:
      return "down";
    case PortState::kInit:
      return "init";
    case PortState::kArmed:
      return "armed";
    case PortState::kActive:
      return "active";
    case PortState::kActiveDefer:
      return "active_defer";
  }
  return "unknown";
}

std::optional<GidType> ParseGidType(std::string_view text, LinkLayer layer) {
  if (text == "RoCE v2") return GidType::kRoceV2;
  if (text != "IB/RoCE v1") return std::nullopt;
  return layer == LinkLayer::kEthernet ? GidType::kRoceV1 : GidType::kInfiniband;
}

std::optional<Mtu> LargestMtu(std::uint32_t bytes, std::uint32_t overhead) {
  for (const Mtu mtu : {Mtu::k4096, Mtu::k2048, Mtu::k1024, Mtu::k512, Mtu::k256}) {
    if (bytes >= overhead && bytes - overhead >= static_cast<std::uint32_t>(mtu)) return mtu;
  }
  return std::nullopt;
}

}  // namespace fairlead
