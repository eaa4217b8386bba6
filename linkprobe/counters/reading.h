// What a host's counters showed at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Where the kernel keeps a counter. The same name may mean different things in two of them.
enum class CounterSource {
  kPort,      // the port's counters/: the InfiniBand specification's own
  kHardware,  // the port's hw_counters/: the driver's
  kOptional,  // RDMA netlink only: those that an operator has switched on
  kEthtool,   // statistics of the port's network interface, pause frames among them
  kNetdev,    // statistics of the port's network interface, where there is no counters/
};

// "counters", "hw_counters", "rdma_netlink", "ethtool", "netdev".
std::string_view CounterSourceName(CounterSource source);

// As the kernel shows it, in whatever unit it counts in.
struct CounterValue {
  CounterSource source = CounterSource::kPort;
  std::string name;
  std::uint64_t value = 0;

  friend bool operator==(const CounterValue&, const CounterValue&) = default;
};

// One port of an RDMA device.
struct PortReading {
  std::string device;
  std::uint32_t port = 1;
  // Differs once the driver has made the port anew, so that its counters have nothing to do with
  // those before; 0 where it is not known.
  std::uint64_t incarnation = 0;
  std::string netdev{};                           // empty: none, or not known
  std::optional<double> rate_bytes_per_second{};  // of the port, not of any line behind it
  MonotonicTime at{};
  std::vector<CounterValue> values{};  // each source and name once
  std::uint32_t unreadable = 0;        // files that gave no number
  std::string problem{};               // of the first of those
};

// All ports, by device and number; each at most once.
struct CounterReading {
  std::vector<PortReading> ports{};
  std::string problem{};  // why there is no port, where that is a fault
  Nanoseconds took{};
};

}  // namespace fairlead::linkprobe
