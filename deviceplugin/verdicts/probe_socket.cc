#include "deviceplugin/verdicts/probe_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/local_address.h"

namespace fairlead::deviceplugin {
namespace {

constexpr mode_t kMode = 0600;
constexpr mode_t kFolderMode = 0755;

FileDescriptor OpenSocket() {
  return FileDescriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

const sockaddr* Generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// A socket without a process behind it refuses; any other answer proves nothing.
bool IsAbandoned(const sockaddr_un& address) {
  const FileDescriptor fd = OpenSocket();
  return fd && connect(fd.get(), Generic(address), sizeof address) != 0 && errno == ECONNREFUSED;
}

bool IsSocket(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

Status BindTo(int fd, const sockaddr_un& address, const std::string& path) {
  if (bind(fd, Generic(address), sizeof address) == 0) return {};
  if (errno != EADDRINUSE) return Fail(SystemError(errno, "bind " + path));
  if (!IsSocket(path)) {
    return Fail(ErrorCode::kUnavailable, path + " is there and is no socket; remove it");
  }
  if (!IsAbandoned(address)) {
    return Fail(ErrorCode::kUnavailable, path +
                                             " is served by another process; end it, or give "
                                             "each its own deviceplugin.probeSocket");
  }
  if (unlink(path.c_str()) != 0) return Fail(SystemError(errno, "remove " + path));
  if (bind(fd, Generic(address), sizeof address) == 0) return {};
  return Fail(SystemError(errno, "bind " + path));
}

}  // namespace

Result<ProbeSocket> ProbeSocket::Bind(const std::string& path, std::size_t longest) {
  const auto address = MakeLocalAddress(path);
  if (!address) return Fail(address.error());
  FileDescriptor fd = OpenSocket();
  if (!fd) return Fail(SystemError(errno, "make a socket"));
  const int on = 1;
  if (setsockopt(fd.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
    return Fail(SystemError(errno, "ask for credentials"));
  }
  const std::string folder = path.substr(0, path.rfind('/'));
  if (!folder.empty() && mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST) {
    return Fail(SystemError(errno, "make " + folder));
  }
  // The file is born with this mode, so it is never open to more.
  fchmod(fd.get(), kMode);
  if (auto bound = BindTo(fd.get(), *address, path); !bound) return Fail(bound.error());
  return ProbeSocket(std::move(fd), path, longest);
}

ProbeSocket::ProbeSocket(FileDescriptor fd, std::string path, std::size_t longest)
    : fd_(std::move(fd)), path_(std::move(path)), buffer_(longest) {
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

ProbeSocket::~ProbeSocket() {
  if (fd_ && IsAtPath()) unlink(path_.c_str());
}

bool ProbeSocket::IsAtPath() const {
  struct stat status {};
  return lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool ProbeSocket::Take(ProbeDatagram& datagram) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];  // no room for descriptors
  iovec room{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
  msghdr header{};
  header.msg_iov = &room;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(fd_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) return false;
  datagram.bytes = {buffer_.data(), static_cast<std::size_t>(got)};
  datagram.truncated = (header.msg_flags & MSG_TRUNC) != 0;
  datagram.trusted = false;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(part), sizeof sender);
    datagram.trusted = sender.uid == 0 || sender.uid == geteuid();
  }
  return true;
}

}  // namespace fairlead::deviceplugin
