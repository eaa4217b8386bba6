// The socket file where linkprobe's datagrams arrive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"

namespace fairlead::deviceplugin {

struct ProbeDatagram {
  std::string_view bytes;  // valid until the next Take
  bool truncated = false;  // it had more bytes than there was room
  bool trusted = false;    // sent by root or by the plugin's own user, which the kernel tells
};

// Not thread-safe.
class ProbeSocket {
 public:
  // Binds a datagram socket of mode 0600 at `path`, and makes its folder, but none above. A socket
  // that nobody serves any more is replaced; one that lives, or a file of another kind, is
  // kUnavailable and left alone.
  static Result<ProbeSocket> Bind(const std::string& path, std::size_t longest);
  // Removes the file if it is still this socket's.
  ~ProbeSocket();
  ProbeSocket(ProbeSocket&&) noexcept = default;
  ProbeSocket& operator=(ProbeSocket&&) = delete;

  int fd() const { return fd_.get(); }
  // False when the file is gone or another's, so that nobody can reach this socket.
  bool IsAtPath() const;
  // The next datagram, without waiting: false when there is none.
  bool Take(ProbeDatagram& datagram);

 private:
  ProbeSocket(FileDescriptor fd, std::string path, std::size_t longest);

  FileDescriptor fd_;
  std::string path_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  std::vector<char> buffer_;
};

}  // namespace fairlead::deviceplugin
