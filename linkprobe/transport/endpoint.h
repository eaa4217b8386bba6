// Where the packets of one path are received.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::linkprobe {

enum class TransportKind { kRdmaUd, kUdp };

// "verbs" or "udp", as config and command line spell it.
constexpr std::string_view TransportKindName(TransportKind kind) {
  switch (kind) {
    case TransportKind::kRdmaUd:
      return "verbs";
    case TransportKind::kUdp:
      return "udp";
  }
  return "unknown";
}

// One path's receiving end, as the session set-up hands it to the peer. Of the fields only those of
// its kind are set.
struct Endpoint {
  TransportKind kind = TransportKind::kUdp;
  std::array<std::uint8_t, 16> gid{};  // network order
  std::uint32_t qp_number = 0;
  std::uint32_t qkey = 0;
  std::uint32_t path_mtu_bytes = 0;
  std::string address{};  // IP literal; empty where the socket listens on every address
  std::uint16_t port = 0;
  bool hardware_stamps = false;
  std::optional<std::uint8_t> traffic_class{};  // that its packets are sent with; absent: not told
  std::uint8_t roce_version = 0;                // 1 or 2, of the GID; 0: not told

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// A port of an RDMA device of this host.
struct NicPort {
  std::string device;
  std::uint32_t port = 1;

  friend bool operator==(const NicPort&, const NicPort&) = default;
};

}  // namespace fairlead::linkprobe
