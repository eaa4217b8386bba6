// What is set for the traffic of one port of an HCA.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

inline constexpr std::size_t kPriorities = 8;  // of IEEE 802.1Q
using PerPriority = std::array<std::uint8_t, kPriorities>;

// IEEE 802.1Qaz, as the kernel's struct ieee_ets tells it.
struct EtsFacts {
  PerPriority class_of{};       // the traffic class of each priority
  PerPriority share_percent{};  // of each traffic class
  PerPriority algorithm{};      // of each traffic class: 0 strict, 1 credit-based shaper, 2 ETS
};

// Data centre bridging. What the driver does not offer stays empty.
struct DcbFacts {
  std::optional<EtsFacts> ets;
  std::optional<std::uint8_t> pfc;                        // a bit for each priority
  std::map<std::uint8_t, std::uint8_t> priority_of_dscp;  // application table, selector DSCP
};

// Global pause (802.3x), which stops all priorities.
struct PauseFacts {
  bool receive = false;
  bool transmit = false;
};

// What rdma_cm gives connections that ask for nothing else.
struct CmaFacts {
  bool roce_v2 = true;
  std::uint32_t tos = 0;
  bool kernel_default = false;  // nobody has set anything: no entry in configfs
};

// Congestion control of RoCE (DCQCN) for each priority, by the driver's own files.
struct EcnFacts {
  std::array<bool, kPriorities> notification{};  // answers marked packets by CNPs
  std::array<bool, kPriorities> reaction{};      // slows down at CNPs
};

// Since the driver was loaded. What the driver does not count is not there.
using Counters = std::map<std::string, std::uint64_t>;

struct PortFacts {
  std::string netdev;  // that carries the port's packets; empty: none
  Known<DcbFacts> dcb;
  Known<std::string> trust;  // "dscp" or "pcp", where the driver has a file for it
  Known<PauseFacts> pause;
  Known<CmaFacts> rdma_cm;
  Known<EcnFacts> ecn;
  Known<std::uint32_t> forced_traffic_class;  // for every queue pair, by a file of the driver
  Known<Counters> counters;                   // hw_counters
  // That linkprobe sees packets sent again that had arrived, within the last minute:
  // "adaptive_timer" by this port, "peers" to it; empty: it does not, or does not answer.
  std::string resending;
};

}  // namespace fairlead::deviceplugin
