// A folder for one test's sockets, and a sender that stands for linkprobe.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "common/base/file_descriptor.h"
#include "common/base/local_address.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {

class SocketFolder : public testing::Test {
 protected:
  // Whether the kernel took the datagram. Waits while the receiver's queue is full.
  bool Send(std::string_view bytes) const {
    const FileDescriptor fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto address = MakeLocalAddress(path_).value();
    return sendto(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address), sizeof address) >= 0;
  }

  const TempDirectory temp_;
  const std::filesystem::path folder_ = temp_.path();
  std::string path_ = folder_ / "run" / "plugin.sock";
};

}  // namespace fairlead::deviceplugin
