// What concerns the whole host.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

// The limit of the process that starts containers, which they inherit.
struct MemlockFacts {
  std::string process;                 // "containerd"
  std::optional<std::uint64_t> bytes;  // nothing: unlimited
};

// What NVIDIA's driver offers for DMA between a GPU and an HCA.
struct GpuDriverFacts {
  bool loaded = false;
  bool open_modules = false;  // only these export dma-buf
  bool peermem = false;       // nvidia_peermem is loaded
  std::string version;        // as the driver says it, one line
};

struct TcpFacts {
  std::array<std::uint64_t, 3> receive_bytes{};  // net.ipv4.tcp_rmem: least, default, most
  std::array<std::uint64_t, 3> send_bytes{};
  bool slow_start_after_idle = false;
  bool window_scaling = true;
};

struct HostFacts {
  Known<std::string> kernel;  // "6.8.0-45-generic"
  Known<MemlockFacts> memlock;
  Known<TcpFacts> tcp;
  Known<GpuDriverFacts> gpu_driver;
  Known<std::string> default_route;  // the interface of the IPv4 default route
};

}  // namespace fairlead::deviceplugin
