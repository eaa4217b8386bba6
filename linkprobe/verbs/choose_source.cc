#include <algorithm>

#include "linkprobe/verbs/device_inventory.h"

namespace fairlead::linkprobe {
namespace {

// Why the port cannot be probed from, or nothing.
std::string Obstacle(const RdmaDevice& device, const RdmaPort& port) {
  if (!device.datagrams) return "iWARP has no unreliable datagrams";
  if (port.state != PortState::kActive) {
    return "state is " + std::string(PortStateName(port.state)) + ", it must be active";
  }
  if (port.link_layer != LinkLayer::kEthernet) {
    return "link layer is " + std::string(LinkLayerName(port.link_layer)) + ", only RoCE is probed";
  }
  const bool usable =
      std::any_of(port.ranked.begin(), port.ranked.end(), [](const auto& g) { return g.usable; });
  if (usable) return "";
  return "no usable GID" +
         (port.ranked.empty() ? std::string() : ": " + port.ranked.front().reason);
}

std::uint8_t RoceVersion(GidType type) {
  switch (type) {
    case GidType::kRoceV1:
      return 1;
    case GidType::kRoceV2:
      return 2;
    case GidType::kInfiniband:
      break;
  }
  return 0;
}

RdmaSource Source(const RdmaDevice& device, const RdmaPort& port) {
  const auto best = std::find_if(port.ranked.begin(), port.ranked.end(),
                                 [](const RankedGid& gid) { return gid.rank == 1; });
  const GidEntry* entry = FindGid(port.gids, best->index);
  return {.device = device.name,
          .port = port.number,
          .gid_index = best->index,
          .gid = entry->gid,
          .roce_version = RoceVersion(entry->type)};
}

}  // namespace

Result<RdmaSource> ChooseRdmaSource(const std::vector<RdmaDevice>& devices,
                                    const std::string& wanted) {
  std::string reasons;
  const auto note = [&](const std::string& what, const std::string& why) {
    reasons += (reasons.empty() ? "" : "; ") + what + ": " + why;
  };
  for (const RdmaDevice& device : devices) {
    if (!wanted.empty() && device.name != wanted) continue;
    if (!device.problem.empty()) note(device.name, device.problem);
    for (const RdmaPort& port : device.ports) {
      const std::string obstacle = Obstacle(device, port);
      if (obstacle.empty()) return Source(device, port);
      note(device.name + " port " + std::to_string(port.number), obstacle);
    }
  }
  if (!reasons.empty()) return Fail(ErrorCode::kUnavailable, "no usable RDMA port: " + reasons);
  if (!wanted.empty()) {
    return Fail(ErrorCode::kNotFound, "this host has no RDMA device \"" + wanted + "\"");
  }
  return Fail(ErrorCode::kNotFound, "this host has no RDMA device");
}

}  // namespace fairlead::linkprobe
