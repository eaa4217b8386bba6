#include "deviceplugin/discovery/netns_mode.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "deviceplugin/discovery/netlink_attributes.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kWhat = "ask the kernel for the RDMA network namespace mode";

Error NotAnAnswer() {
  return {ErrorCode::kInternal, std::string(kWhat) + ": the answer is cut off or of another kind"};
}

// In the words of the rdma tool: 0 exclusive, 1 shared.
Result<NetnsMode> ModeAmong(std::string_view attributes) {
  std::optional<NetnsMode> mode;
  const bool whole = EachAttribute(attributes, [&](int type, std::string_view payload) {
    if (type != RDMA_NLDEV_SYS_ATTR_NETNS_MODE || payload.empty() || mode) return;
    mode = payload[0] == 0 ? NetnsMode::kExclusive : NetnsMode::kShared;
  });
  if (mode) return *mode;
  if (!whole) return Fail(NotAnAnswer());
  return Fail(ErrorCode::kUnsupported, std::string(kWhat) + ": this kernel does not tell it");
}

}  // namespace

Result<NetnsMode> ParseNetnsAnswer(std::string_view datagram) {
  nlmsghdr header;
  if (!CopyFront(datagram, header) || header.nlmsg_len < NLMSG_HDRLEN ||
      header.nlmsg_len > datagram.size()) {
    return Fail(NotAnAnswer());
  }
  const std::string_view body =
      datagram.substr(NLMSG_HDRLEN, header.nlmsg_len - static_cast<std::uint32_t>(NLMSG_HDRLEN));
  if (header.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error;
    if (!CopyFront(body, error)) return Fail(NotAnAnswer());
    if (error.error == -EINVAL || error.error == -EOPNOTSUPP || error.error == 0) {
      return ModeAmong({});
    }
    return Fail(SystemError(-error.error, kWhat));
  }
  if (header.nlmsg_type != RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET)) {
    return Fail(NotAnAnswer());
  }
  return ModeAmong(body);
}

Result<NetnsMode> ReadNetnsMode() {
  const FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA));
  if (!fd) {
    if (errno != EPROTONOSUPPORT) return Fail(SystemError(errno, kWhat));
    return Fail(ErrorCode::kUnsupported, std::string(kWhat) + ": it has no RDMA");
  }
  const timeval patience{1, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  nlmsghdr request{};
  request.nlmsg_len = NLMSG_HDRLEN;
  request.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET);
  request.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
  if (send(fd.get(), &request, sizeof request, 0) < 0) return Fail(SystemError(errno, kWhat));
  std::array<char, 8192> answer;
  const ssize_t got = recv(fd.get(), answer.data(), answer.size(), 0);
  if (got < 0) return Fail(SystemError(errno, kWhat));
  return ParseNetnsAnswer({answer.data(), static_cast<std::size_t>(got)});
}

}  // namespace fairlead::deviceplugin
