#include "deviceplugin/kubelet/socket_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "common/base/file_descriptor.h"
#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {
namespace {

// Nobody listens: the kernel refuses the connection. Any other answer proves nothing.
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

}  // namespace

std::optional<SocketIdentity> IdentifySocket(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
  return SocketIdentity{
      .device = status.st_dev,
      .inode = status.st_ino,
      .changed_ns = status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec};
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

}  // namespace fairlead::deviceplugin
