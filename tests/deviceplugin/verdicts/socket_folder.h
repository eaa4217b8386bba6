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

namespace fairlead::deviceplugin {

class SocketFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fairlead-verdicts-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = pattern + "/run/plugin.sock";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Whether the kernel took the datagram. Waits while the receiver's queue is full.
  bool Send(std::string_view bytes) const {
    const FileDescriptor fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto address = MakeLocalAddress(path_).value();
    return sendto(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address), sizeof address) >= 0;
  }

  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace fairlead::deviceplugin
