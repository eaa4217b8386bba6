#include "deviceplugin/doctor_facts/queue_pairs.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "deviceplugin/discovery/netlink_attributes.h"

namespace fairlead::deviceplugin {
namespace {

// PROC_PID_INIT_INO, the first PID namespace.
constexpr std::string_view kHostPids = "pid:[4026531836]";

struct DumpRequest {
  nlmsghdr header{};
  nlattr attribute{};
  std::uint32_t device = 0;
};

bool SeesAllProcesses() {
  std::array<char, 64> link{};
  const ssize_t size = readlink("/proc/self/ns/pid", link.data(), link.size());
  return size > 0 && std::string_view(link.data(), static_cast<std::size_t>(size)) == kHostPids;
}

// Calls `visit` for each message of the dump; an errno.
int Dump(int fd, int command, std::optional<std::uint32_t> device,
         const std::function<void(std::string_view)>& visit) {
  DumpRequest request;
  request.header.nlmsg_len = device ? sizeof request : sizeof request.header;
  request.header.nlmsg_type = static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_DUMP;
  request.attribute.nla_type = RDMA_NLDEV_ATTR_DEV_INDEX;
  request.attribute.nla_len = NLA_HDRLEN + sizeof request.device;
  request.device = device.value_or(0);
  if (send(fd, &request, request.header.nlmsg_len, 0) < 0) return errno;
  std::array<char, 32768> answer;
  while (true) {
    const ssize_t got = recv(fd, answer.data(), answer.size(), 0);
    if (got < 0) return errno;
    const DumpPart part = SplitDump({answer.data(), static_cast<std::size_t>(got)});
    for (const std::string_view message : part.messages) visit(message);
    if (part.last || part.error != 0) return part.error;
  }
}

}  // namespace

DumpPart SplitDump(std::string_view datagram) {
  DumpPart part;
  nlmsghdr header;
  while (CopyFront(datagram, header)) {
    if (header.nlmsg_len < NLMSG_HDRLEN || header.nlmsg_len > datagram.size()) {
      part.error = EBADMSG;
      return part;
    }
    const std::string_view body =
        datagram.substr(NLMSG_HDRLEN, header.nlmsg_len - static_cast<std::size_t>(NLMSG_HDRLEN));
    if (header.nlmsg_type == NLMSG_DONE) {
      part.last = true;
      return part;
    }
    if (header.nlmsg_type == NLMSG_ERROR) {
      nlmsgerr error;
      part.error = CopyFront(body, error) ? -error.error : EBADMSG;
      part.last = true;
      return part;
    }
    part.messages.push_back(body);
    datagram.remove_prefix(std::min<std::size_t>(NLMSG_ALIGN(header.nlmsg_len), datagram.size()));
  }
  return part;
}

std::optional<RdmaDevice> DeviceIn(std::string_view attributes) {
  RdmaDevice device;
  bool indexed = false;
  EachAttribute(attributes, [&](int type, std::string_view payload) {
    if (type == RDMA_NLDEV_ATTR_DEV_INDEX) indexed = CopyFront(payload, device.index);
    if (type == RDMA_NLDEV_ATTR_DEV_NAME) device.name = payload.substr(0, payload.find('\0'));
  });
  if (!indexed || device.name.empty()) return std::nullopt;
  return device;
}

std::vector<std::uint32_t> OwnersIn(std::string_view attributes) {
  std::vector<std::uint32_t> owners;
  const auto entry = [&](int type, std::string_view payload) {
    std::uint32_t process = 0;
    if (type == RDMA_NLDEV_ATTR_RES_PID && CopyFront(payload, process)) owners.push_back(process);
  };
  EachAttribute(attributes, [&](int type, std::string_view table) {
    if (type != RDMA_NLDEV_ATTR_RES_QP) return;
    EachAttribute(table, [&](int inner, std::string_view payload) {
      if (inner == RDMA_NLDEV_ATTR_RES_QP_ENTRY) EachAttribute(payload, entry);
    });
  });
  return owners;
}

Known<QueuePairOwners> AskQueuePairs() {
  using Owners = Known<QueuePairOwners>;
  if (!SeesAllProcesses()) {
    return Owners::Not(
        "the kernel shows queue pairs of the own PID namespace only; run on the "
        "host or with hostPID");
  }
  const FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA));
  if (!fd) return Owners::Not("RDMA netlink: " + ErrnoText(errno));
  const timeval patience{1, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::vector<RdmaDevice> devices;
  const int listed =
      Dump(fd.get(), RDMA_NLDEV_CMD_GET, std::nullopt, [&](std::string_view message) {
        if (auto device = DeviceIn(message)) devices.push_back(*std::move(device));
      });
  if (listed != 0) return Owners::Not("RDMA netlink: " + ErrnoText(listed));
  QueuePairOwners owners;
  for (const RdmaDevice& device : devices) {
    std::vector<std::uint32_t>& own = owners[device.name];
    const int counted =
        Dump(fd.get(), RDMA_NLDEV_CMD_RES_QP_GET, device.index, [&](std::string_view message) {
          for (const std::uint32_t process : OwnersIn(message)) own.push_back(process);
        });
    if (counted != 0) return Owners::Not("RDMA netlink: " + ErrnoText(counted));
  }
  return owners;
}

}  // namespace fairlead::deviceplugin
