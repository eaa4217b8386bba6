#include "deviceplugin/discovery/change_source.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/base/errno_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr int kBufferBytes = 1 << 20;
constexpr unsigned int kUeventsOfKernel = 1;  // group 2 is udev's
constexpr unsigned int kRdmaNotify = 4;       // RDMA_NL_GROUP_NOTIFY, absent from older headers

bool Always(std::string_view) { return true; }

struct Kind {
  const char* name;
  int protocol;
  std::vector<unsigned int> groups;
  bool (*matters)(std::string_view);
};

// An errno, or 0 and the socket.
int Open(const Kind& kind, FileDescriptor& out) {
  FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, kind.protocol));
  if (!fd) return errno;
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &kBufferBytes, sizeof kBufferBytes);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return errno;
  }
  for (const unsigned int group : kind.groups) {
    if (setsockopt(fd.get(), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0) {
      return errno;
    }
  }
  out = std::move(fd);
  return 0;
}

}  // namespace

bool UeventMatters(std::string_view datagram) {
  while (!datagram.empty()) {
    const std::size_t end = std::min(datagram.find('\0'), datagram.size());
    const std::string_view field = datagram.substr(0, end);
    datagram.remove_prefix(std::min(end + 1, datagram.size()));
    // rdma_cm is of the class misc, so it is told by its node.
    if (field.starts_with("SUBSYSTEM=infiniband") || field == "SUBSYSTEM=pci" ||
        field == "SUBSYSTEM=auxiliary" || field.starts_with("DEVNAME=infiniband/")) {
      return true;
    }
  }
  return false;
}

ChangeSources OpenChangeSources(std::string node_directory) {
  const Kind kinds[] = {{"RDMA netlink", NETLINK_RDMA, {kRdmaNotify}, Always},
                        {"uevents", NETLINK_KOBJECT_UEVENT, {kUeventsOfKernel}, UeventMatters},
                        {"route netlink",
                         NETLINK_ROUTE,
                         {RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR},
                         Always}};
  ChangeSources sources;
  if (auto nodes = InotifyDirectory::Open(node_directory)) sources.nodes = *std::move(nodes);
  sources.node_directory = std::move(node_directory);
  for (const Kind& kind : kinds) {
    FileDescriptor fd;
    const int error = Open(kind, fd);
    if (error == 0) {
      sources.open.push_back({kind.name, std::move(fd), kind.matters});
    } else {
      sources.problems.push_back("Cannot listen to " + std::string(kind.name) + ": " +
                                 ErrnoText(error) + "; changes are found by looking regularly.");
    }
  }
  return sources;
}

}  // namespace fairlead::deviceplugin
