#include "deviceplugin/kubelet/socket_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "common/base/file_descriptor.h"
#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {
namespace {

// Not the socket that listens.
bool IsAcceptedOn(int fd, const std::string& path) {
  sockaddr_un address{};
  socklen_t length = sizeof address;
  int listens = 0;
  socklen_t size = sizeof listens;
  return getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
         address.sun_family == AF_UNIX && length > offsetof(sockaddr_un, sun_path) &&
         path == address.sun_path &&
         getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 0;
}

}  // namespace

std::optional<SocketIdentity> IdentifySocket(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
  return SocketIdentity{
      .device = status.st_dev,
      .inode = status.st_ino,
      .changed_ns = status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec};
}

bool NobodyListens(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return false;
  return connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
         errno == ECONNREFUSED;
}

std::vector<std::string> RemoveStaleSockets(const std::string& directory) {
  std::vector<std::string> removed;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(directory.c_str()), &closedir);
  if (!entries) return removed;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (!IsOurSocketName(name)) continue;
    const std::string path = directory + '/' + name;
    if (IdentifySocket(path) && NobodyListens(path) && unlink(path.c_str()) == 0) {
      removed.push_back(name);
    }
  }
  return removed;
}

std::size_t CutConnections(const std::string& path) {
  std::size_t cut = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir("/proc/self/fd"), &closedir);
  if (!entries) return cut;
  while (const dirent* entry = readdir(entries.get())) {
    // A duplicate, since the owner may close its own at any moment and the number be used anew.
    const FileDescriptor fd(fcntl(std::atoi(entry->d_name), F_DUPFD_CLOEXEC, 0));
    if (fd && IsAcceptedOn(fd.get(), path) && shutdown(fd.get(), SHUT_RDWR) == 0) ++cut;
  }
  return cut;
}

}  // namespace fairlead::deviceplugin
