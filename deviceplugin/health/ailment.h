// Why an HCA cannot carry traffic at this moment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// `reason` is a stable word for metrics; `sentence` names the port and what was read.
struct Ailment {
  std::string_view reason;
  std::string sentence;
  bool certain = true;  // false: it may as well be that nothing ails it
};

// linkprobe's word on a NIC of this node, where it runs beside the plugin.
struct NicVerdict {
  std::string device;
  std::uint32_t port = 0;  // 0: the device as a whole
  bool bad = false;
  std::string sentence{};  // the numbers behind it
  MonotonicTime at{};
};

// A verdict older than this is as good as none.
inline constexpr Nanoseconds kNicVerdictLife = Seconds(30);

// Nothing as long as one port can carry traffic: active, link up and, on RoCE, with a GID that can
// be used. A port that never had a cable condemns no device whose other port works. Else the
// ailment of the port that came nearest: "port_down", "link_down" (physical state), "no_gid",
// "no_port". Where no port is known to carry traffic and what tells it of one could not be read,
// "unreadable", which is not certain. A fresh bad verdict of linkprobe is "probe_verdict", unless
// it is on one port and another port can carry traffic. Pure.
std::optional<Ailment> AilmentOf(const Hca& hca, std::span<const NicVerdict> verdicts,
                                 MonotonicTime now);

// Whether the port can carry traffic now; nothing where what tells it could not be read.
std::optional<bool> CarriesTraffic(const HcaPort& port, RdmaProtocol protocol);

}  // namespace fairlead::deviceplugin
