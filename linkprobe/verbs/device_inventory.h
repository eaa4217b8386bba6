// The RDMA devices of this host as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/rdma/gid_rank.h"
#include "common/rdma/port.h"

namespace fairlead::linkprobe {

struct RdmaPort {
  std::uint8_t number = 1;
  PortState state = PortState::kNop;
  LinkLayer link_layer = LinkLayer::kUnspecified;
  std::uint32_t active_mtu_bytes = 0;
  std::uint32_t max_mtu_bytes = 0;
  std::vector<GidEntry> gids{};     // entries that are in use
  std::vector<RankedGid> ranked{};  // a verdict for each of `gids`
};

struct RdmaDevice {
  std::string name;
  std::string problem;           // why it could not be read; empty if it could
  bool datagrams = true;         // false for iWARP, which has no unreliable datagrams
  bool hardware_stamps = false;  // completions can carry the device's clock
  std::vector<RdmaPort> ports;
};

// Opens each device in turn and reads ports and GID tables. A device that cannot be read is listed
// with its problem. An empty list where there is none.
Result<std::vector<RdmaDevice>> ReadRdmaDevices();

// Where to probe from.
struct RdmaSource {
  std::string device;
  std::uint8_t port = 1;
  std::uint32_t gid_index = 0;
  Gid gid;
  std::uint8_t roce_version = 0;  // of the GID; 0: neither
};

// The best usable GID of the first usable port: of `device` if it is named, else of any device in
// order of name. kUnavailable, with the reason for each candidate, where there is none. Pure.
Result<RdmaSource> ChooseRdmaSource(const std::vector<RdmaDevice>& devices,
                                    const std::string& device);

}  // namespace fairlead::linkprobe
