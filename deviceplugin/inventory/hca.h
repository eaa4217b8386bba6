// An RDMA device of this node, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/rdma/gid_rank.h"
#include "common/rdma/port.h"
#include "deviceplugin/inventory/pci.h"

namespace fairlead::deviceplugin {

// What a device speaks, told by its driver and node type, never by its name.
enum class RdmaProtocol { kUnknown, kInfiniband, kRoce, kIwarp, kEfa };

enum class PciFunction { kNone, kPhysical, kVirtual, kSubfunction };

// Physical state of a port, as the InfiniBand specification numbers them.
enum class PhysicalState {
  kUnknown,
  kSleep,
  kPolling,
  kDisabled,
  kTraining,
  kLinkUp,
  kErrorRecovery,
  kPhyTest
};

struct HcaPort {
  std::uint32_t number = 1;
  LinkLayer link_layer = LinkLayer::kUnspecified;
  PortState state = PortState::kNop;
  PhysicalState physical_state = PhysicalState::kUnknown;
  std::uint64_t rate_bits_per_second = 0;  // 0: not told
  std::uint32_t mtu_bytes = 0;             // of the netdev on RoCE; 0: not told
  std::uint32_t lid = 0;                   // InfiniBand only
  std::uint32_t gid_table_length = 0;
  std::vector<GidEntry> gids;     // entries in use
  std::vector<RankedGid> ranked;  // a verdict for each of `gids`
  // Of this network namespace: its own, then those its GIDs name (VLANs, a bond and its slaves).
  std::vector<std::string> netdevs;
};

// A node under /dev/infiniband that belongs to one port of an HCA.
struct PortNode {
  std::string name;  // "umad0"
  std::uint32_t port = 1;
};

struct Hca {
  std::string name;  // the RDMA device's: "mlx5_0", "rocep59s0f0"
  std::string
      driver;  // of the PCI function or, without one, the kind: "mlx5_core", "rxe"; may be empty
  RdmaProtocol protocol = RdmaProtocol::kUnknown;
  std::string vendor;     // PCI vendor, four hexadecimal digits; empty without PCI
  std::string device_id;  // PCI device, the same
  std::string firmware;
  std::string board;
  std::string node_guid;
  std::optional<PciAddress> pci;  // of a sub-function, the function that it was made of
  std::optional<PciPath> pci_path;
  std::optional<PciAddress> parent;  // the physical function of a virtual one or a sub-function
  PciFunction function = PciFunction::kNone;
  std::uint32_t subfunction = 0;  // its number where `function` is kSubfunction
  int numa_node = -1;             // below 0: not known; a virtual function's is its parent's
  bool bonded = false;            // one device over several netdevs (LAG)
  std::string uverbs;             // "uverbs0"; empty: no node, nothing can open the device
  std::uint32_t uverbs_abi = 0;
  std::vector<PortNode> umad;  // optional: management only
  std::vector<PortNode> issm;
  std::vector<HcaPort> ports;
  std::vector<std::string> problems;  // what could not be read, a sentence each
};

// Stable words for logs, JSON and people: "roce", "vf".
std::string_view ProtocolName(RdmaProtocol protocol);
std::string_view FunctionName(PciFunction function);
std::string_view PhysicalStateName(PhysicalState state);

// From the driver's name and sysfs' node_type ("1: CA", "4: RNIC"); the link layer tells
// InfiniBand from RoCE. Pure.
RdmaProtocol ClassifyProtocol(std::string_view driver, std::string_view node_type,
                              LinkLayer link_layer);

}  // namespace fairlead::deviceplugin
