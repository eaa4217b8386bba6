#include "linkprobe/verbs/device_inventory.h"

#include <infiniband/verbs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "common/base/file_descriptor.h"
#include "linkprobe/verbs/open_device.h"

namespace fairlead::linkprobe {
namespace {

// Entries in use of all ports. libibverbs hands their size to the kernel in 16 bits, 32 bytes each.
constexpr std::size_t kLargestGidTable = 2000;

using DeviceList = std::unique_ptr<ibv_device*, VerbsDeleter<ibv_free_device_list>>;

PortState ToPortState(ibv_port_state state) {
  switch (state) {
    case IBV_PORT_NOP:
      return PortState::kNop;
    case IBV_PORT_DOWN:
      return PortState::kDown;
    case IBV_PORT_INIT:
      return PortState::kInit;
    case IBV_PORT_ARMED:
      return PortState::kArmed;
    case IBV_PORT_ACTIVE:
      return PortState::kActive;
    case IBV_PORT_ACTIVE_DEFER:
      return PortState::kActiveDefer;
  }
  return PortState::kNop;
}

LinkLayer ToLinkLayer(std::uint8_t layer) {
  if (layer == IBV_LINK_LAYER_ETHERNET) return LinkLayer::kEthernet;
  if (layer == IBV_LINK_LAYER_INFINIBAND) return LinkLayer::kInfiniband;
  return LinkLayer::kUnspecified;
}

GidType ToGidType(std::uint32_t type) {
  if (type == IBV_GID_TYPE_ROCE_V1) return GidType::kRoceV1;
  if (type == IBV_GID_TYPE_ROCE_V2) return GidType::kRoceV2;
  return GidType::kInfiniband;
}

bool InterfaceIsUp(const char* name) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  if (!socket || ::ioctl(socket.get(), SIOCGIFFLAGS, &request) != 0) return false;
  return (request.ifr_flags & IFF_UP) != 0;
}

GidEntry ToGidEntry(const ibv_gid_entry& raw) {
  GidEntry entry;
  entry.index = raw.gid_index;
  entry.type = ToGidType(raw.gid_type);
  std::copy(std::begin(raw.gid.raw), std::end(raw.gid.raw), entry.gid.bytes.begin());
  std::array<char, IF_NAMESIZE> name{};
  if (raw.ndev_ifindex != 0 && ::if_indextoname(raw.ndev_ifindex, name.data()) != nullptr) {
    entry.netdev = name.data();
    entry.netdev_up = InterfaceIsUp(name.data());
  }
  return entry;
}

Result<RdmaPort> ReadPort(ibv_context* context, std::uint8_t number) {
  ibv_port_attr attributes{};
  if (const int code = ibv_query_port(context, number, &attributes); code != 0) {
    return Fail(ErrorCode::kUnavailable,
                "port " + std::to_string(number) + ": " + std::strerror(code));
  }
  RdmaPort port;
  port.number = number;
  port.state = ToPortState(attributes.state);
  port.link_layer = ToLinkLayer(attributes.link_layer);
  port.active_mtu_bytes = MtuBytes(attributes.active_mtu);
  port.max_mtu_bytes = MtuBytes(attributes.max_mtu);
  std::vector<ibv_gid_entry> table(kLargestGidTable);
  const ssize_t count = ibv_query_gid_table(context, table.data(), table.size(), 0);
  if (count < 0) {
    return Fail(ErrorCode::kUnavailable,
                "GID table: " + std::string(std::strerror(static_cast<int>(-count))));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (table[i].port_num == number) port.gids.push_back(ToGidEntry(table[i]));
  }
  port.ranked = RankGids(
      port.gids, GidPolicy{.link_layer = port.link_layer, .netdevs = {}, .allow = {}, .deny = {}});
  return port;
}

RdmaDevice ReadDevice(ibv_device* listed) {
  RdmaDevice device;
  device.name = ibv_get_device_name(listed);
  device.datagrams = listed->transport_type == IBV_TRANSPORT_IB;
  const auto context = OpenDevice(device.name);
  if (!context) {
    device.problem = context.error().message;
    return device;
  }
  ibv_device_attr_ex attributes{};
  if (const int code = ibv_query_device_ex(context->get(), nullptr, &attributes); code != 0) {
    device.problem = std::string("query device: ") + std::strerror(code);
    return device;
  }
  device.hardware_stamps =
      attributes.hca_core_clock != 0 && attributes.completion_timestamp_mask != 0;
  for (unsigned number = 1; number <= attributes.orig_attr.phys_port_cnt; ++number) {
    auto port = ReadPort(context->get(), static_cast<std::uint8_t>(number));
    if (port) {
      device.ports.push_back(std::move(*port));
    } else {
      device.problem = port.error().message;
    }
  }
  return device;
}

}  // namespace

Result<std::vector<RdmaDevice>> ReadRdmaDevices() {
  int count = 0;
  const DeviceList listed(ibv_get_device_list(&count));
  if (!listed) {
    // A kernel without the RDMA modules says so by ENOSYS: no device, which is no fault.
    if (errno == ENOSYS) return std::vector<RdmaDevice>{};
    return Fail(ErrorCode::kUnavailable, std::string("list RDMA devices: ") + std::strerror(errno));
  }
  std::vector<RdmaDevice> devices;
  for (int i = 0; i < count; ++i) devices.push_back(ReadDevice(listed.get()[i]));
  std::sort(devices.begin(), devices.end(),
            [](const RdmaDevice& a, const RdmaDevice& b) { return a.name < b.name; });
  return devices;
}

}  // namespace fairlead::linkprobe
