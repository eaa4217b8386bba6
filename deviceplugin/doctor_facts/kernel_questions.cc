#include "deviceplugin/doctor_facts/kernel_questions.h"

#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "deviceplugin/doctor_facts/dcb_answer.h"

namespace fairlead::deviceplugin {
namespace {

struct DcbRequest {
  nlmsghdr header{};
  dcbmsg message{};
  nlattr attribute{};
  std::array<char, IFNAMSIZ> name{};
};

}  // namespace

Known<DcbFacts> AskDcb(const std::string& netdev) {
  if (netdev.size() >= IFNAMSIZ) return Known<DcbFacts>::Not("the name is too long");
  const FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (!fd) return Known<DcbFacts>::Not(ErrnoText(errno));
  const timeval patience{0, 500'000};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  DcbRequest request;
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = RTM_GETDCB;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.message.dcb_family = AF_UNSPEC;
  request.message.cmd = DCB_CMD_IEEE_GET;
  request.attribute.nla_type = DCB_ATTR_IFNAME;
  request.attribute.nla_len = NLA_HDRLEN + IFNAMSIZ;
  std::memcpy(request.name.data(), netdev.c_str(), netdev.size());
  if (send(fd.get(), &request, sizeof request, 0) < 0) {
    return Known<DcbFacts>::Not(ErrnoText(errno));
  }
  std::array<char, 8192> answer;
  const ssize_t got = recv(fd.get(), answer.data(), answer.size(), 0);
  if (got < 0) return Known<DcbFacts>::Not(ErrnoText(errno));
  return ParseDcbAnswer({answer.data(), static_cast<std::size_t>(got)});
}

Known<PauseFacts> AskPause(const std::string& netdev) {
  if (netdev.size() >= IFNAMSIZ) return Known<PauseFacts>::Not("the name is too long");
  const FileDescriptor fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return Known<PauseFacts>::Not(ErrnoText(errno));
  ethtool_pauseparam pause{};
  pause.cmd = ETHTOOL_GPAUSEPARAM;
  ifreq request{};
  std::memcpy(request.ifr_name, netdev.c_str(), netdev.size());
  request.ifr_data = reinterpret_cast<char*>(&pause);
  if (ioctl(fd.get(), SIOCETHTOOL, &request) != 0) {
    return Known<PauseFacts>::Not(errno == EOPNOTSUPP ? "the driver offers none"
                                                      : ErrnoText(errno));
  }
  return PauseFacts{.receive = pause.rx_pause != 0, .transmit = pause.tx_pause != 0};
}

}  // namespace fairlead::deviceplugin
