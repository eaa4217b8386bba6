// The part of the configuration that fairlead-deviceplugin reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/listen_address.h"
#include "common/rdma/gid_rank.h"
#include "common/rdma/port.h"

namespace fairlead {

// The resource that linkprobe asks for; always there, so no pool may have its name.
inline constexpr const char* kProbeResource = "fairlead.dev/probe";

// Where linkprobe tells the plugin of the same node what it thinks of the node's NICs.
inline constexpr const char* kPluginSocket = "/run/fairlead/deviceplugin.sock";

enum class FunctionChoice { kPhysical, kVirtual, kSubfunction, kNone };

// Which HCAs a pool takes: those that every list which is not empty lets through. Globs know * and
// ?.
struct HcaSelector {
  std::vector<std::string> vendors;        // PCI vendor, four lower-case hexadecimal digits
  std::vector<std::string> drivers;        // kernel drivers, "mlx5_core"
  std::vector<std::string> devices;        // globs of RDMA device names
  std::vector<std::string> interfaces;     // globs of network interfaces; one of the HCA's suffices
  std::vector<std::string> pci_addresses;  // "0000:3b:00.0", lower-case
  std::vector<LinkLayer> link_types;       // only ports of these are handed out
  std::vector<FunctionChoice> functions;

  bool operator==(const HcaSelector&) const = default;
};

// How the packets of a pool's containers are marked. What is not set is left to the program.
struct PriorityConfig {
  std::optional<std::uint32_t> traffic_class;          // the IP traffic class byte
  std::optional<std::uint32_t> service_level;          // InfiniBand's, 0..15
  std::optional<std::uint32_t> control_traffic_class;  // of the receiver's clear-to-send messages

  bool operator==(const PriorityConfig&) const = default;
};

// Whose network namespace the pool's containers run in. In one of their own the GID table is not
// the one that the host sees.
enum class PodNetwork { kHost, kPod };

struct PoolConfig {
  std::string resource = "rdma/hca";
  PodNetwork network = PodNetwork::kPod;
  std::uint32_t slots = 1;  // containers that share one HCA; 1: each has it alone
  HcaSelector select;
  PriorityConfig priority;
  std::string priority_of;  // the pool whose HCAs these are; empty: the pool has its own
  bool variables = true;    // sets the variables of NCCL and UCX; one pool and its priorities do
  // NCCL's go into a file that is written anew whenever a container starts; with `variables` only.
  bool nccl_conf = false;

  bool operator==(const PoolConfig&) const = default;
};

struct HcaHealthConfig {
  Nanoseconds down_after = Seconds(5);  // ailing for so long: unhealthy
  Nanoseconds up_after = Seconds(10);   // well for so long: healthy again

  bool operator==(const HcaHealthConfig&) const = default;
};

struct GpuConfig {
  bool advertise = false;
  std::string resource = "nvidia.com/gpu";
  std::string pair_resource;  // the pool whose HCAs go out in pairs with their GPU; empty: none
  std::string nvml_library = "libnvidia-ml.so.1";  // as dlopen takes it: a name or a path

  bool operator==(const GpuConfig&) const = default;
};

// How kubelet hears of the plugin: called by it, or found by it in its plugins_registry.
enum class RegistrationChoice { kLegacy, kRegistry };

struct DevicepluginConfig {
  ListenAddress ops_listen{"0.0.0.0", 9473};
  std::string kubelet_directory = "/var/lib/kubelet";
  RegistrationChoice registration = RegistrationChoice::kLegacy;
  std::vector<PoolConfig> pools{PoolConfig()};
  std::vector<GidPrefix> gid_allow;
  std::vector<GidPrefix> gid_deny;
  Nanoseconds outage = Seconds(30);  // what an established connection must survive
  HcaHealthConfig health;
  Nanoseconds remove_after = Seconds(600);  // gone for so long: no longer listed
  bool cdi = false;
  std::string cdi_directory = "/var/run/cdi";
  GpuConfig gpus;
  std::string nfd_feature_file;              // empty: none is written
  std::string probe_socket = kPluginSocket;  // empty: linkprobe is not heard
  // Of the files of pools with `nccl_conf`; the same path on the host, which mounts them from
  // there.
  std::string nccl_conf_directory = "/var/lib/fairlead/nccl";

  bool operator==(const DevicepluginConfig&) const = default;
};

}  // namespace fairlead
