// Names of sockets, and clearing away those of dead runs.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "common/base/file_descriptor.h"
#include "deviceplugin/kubelet/kubelet_presence.h"
#include "deviceplugin/kubelet/socket_file.h"
#include "deviceplugin/kubelet/socket_name.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr RunId kRun{.process_id = 1, .start = WallTime(Seconds(1'764'400'000))};

// A socket bound at the path, which stays after the descriptor is closed.
FileDescriptor Bind(const std::string& path, bool listening) {
  FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  if (listening) {
    EXPECT_EQ(listen(fd.get(), 1), 0);
  }
  return fd;
}

TEST(SocketNameTest, NamesTheResourceTheRunAndTheGeneration) {
  EXPECT_EQ(SocketName("rdma/hca", kRun, 4), "fairlead-rdma_hca-1-19ace6f6c00-4.sock");
  EXPECT_NE(SocketName("rdma/hca", kRun, 4), SocketName("rdma/hca", kRun, 5));
  RunId later = kRun;
  later.start += Milliseconds(1);
  EXPECT_NE(SocketName("rdma/hca", kRun, 4), SocketName("rdma/hca", later, 4));
}

TEST(SocketNameTest, NamesThatLookAlikeStayApart) {
  EXPECT_NE(SocketName("a-b/c", kRun, 1), SocketName("a/b-c", kRun, 1));
  const std::string longest(300, 'a');
  EXPECT_NE(SocketName(longest + "x/b", kRun, 1), SocketName(longest + "y/b", kRun, 1));
  EXPECT_LT(SocketName(longest, kRun, 1).size(), 64U);
}

TEST(SocketNameTest, KnowsItsOwn) {
  EXPECT_TRUE(IsOurSocketName(SocketName("rdma/hca", kRun, 1)));
  EXPECT_TRUE(IsOurSocketName(SocketName("rdma/hca-1-2-3", kRun, 1234567890)));
  for (const char* name :
       {"", "kubelet.sock", "fairlead-.sock", "fairlead-.sock.sock", "fairlead-rdma_hca-1-1.sock",
        "fairlead-rdma_hca-1-xyz-1.sock", "fairlead-rdma_hca-1-1-.sock", "fairlead--1-1.sock",
        "other-rdma_hca-1-1-1.sock", "fairlead-rdma_hca-1-1-1.sock.tmp"}) {
    EXPECT_FALSE(IsOurSocketName(name)) << name;
  }
}

TEST(SocketNameTest, ADirectoryIsRefusedWhereAPathWouldNotFit) {
  EXPECT_TRUE(CheckSocketDirectory("/var/lib/kubelet/device-plugins", kRun));
  EXPECT_TRUE(CheckSocketDirectory("/var/lib/kubelet/plugins_registry", kRun));
  const auto refused = CheckSocketDirectory("/" + std::string(80, 'd'), kRun);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("107"));
}

TEST(SocketNameTest, AnAddressEscapesWhatAUriWouldRead) {
  EXPECT_EQ(UnixAddress("/run/a-b_c.sock"), "unix:/run/a-b_c.sock");
  EXPECT_EQ(UnixAddress("/a b%?#"), "unix:/a%20b%25%3F%23");
}

TEST(SocketFileTest, IdentifiesSocketsOnly) {
  const TempDirectory directory;
  EXPECT_FALSE(IdentifySocket(directory.path() / "none"));
  EXPECT_FALSE(IdentifySocket(directory.Write("file", "x")));
  const std::string path = directory.path() / "socket";
  const auto fd = Bind(path, true);
  const auto first = IdentifySocket(path);
  ASSERT_TRUE(first);
  EXPECT_EQ(IdentifySocket(path), first);
  ASSERT_EQ(unlink(path.c_str()), 0);
  const auto other = Bind(path, true);
  EXPECT_NE(IdentifySocket(path), first);
}

TEST(KubeletPresenceTest, ASocketThatNobodyListensOnIsNoKubelet) {
  const TempDirectory directory;
  const std::string path = directory.path() / "kubelet.sock";
  KubeletPresence presence(path);
  EXPECT_FALSE(presence.Look(true));
  {
    const auto kubelet = Bind(path, true);
    EXPECT_EQ(presence.Look(false), IdentifySocket(path));
  }
  EXPECT_TRUE(presence.Look(false)) << "it is dialled only in doubt";
  EXPECT_FALSE(presence.Look(true));
  EXPECT_FALSE(presence.Look(false)) << "and remembered";
  ASSERT_EQ(unlink(path.c_str()), 0);
  const auto beginning = Bind(path, false);
  EXPECT_FALSE(presence.Look(false));
  ASSERT_EQ(listen(beginning.get(), 1), 0);
  EXPECT_EQ(presence.Look(false), IdentifySocket(path)) << "the same file, attended now";
}

TEST(SocketFileTest, OnlySocketsOfOursThatNobodyServesAreRemoved) {
  const TempDirectory directory;
  const std::string dead = SocketName("rdma/hca", kRun, 1);
  const std::string living = SocketName("rdma/hca", kRun, 2);
  const std::string not_a_socket = SocketName("rdma/hca", kRun, 3);
  Bind(directory.path() / dead, true);
  Bind(directory.path() / "fairlead-else.sock", true);
  Bind(directory.path() / "nvidia-gpu.sock", true);
  const auto served = Bind(directory.path() / living, true);
  directory.Write(not_a_socket, "x");
  EXPECT_THAT(RemoveStaleSockets(directory.path()), ElementsAre(dead));
  for (const std::string& name :
       {living, not_a_socket, std::string("fairlead-else.sock"), std::string("nvidia-gpu.sock")}) {
    EXPECT_TRUE(std::filesystem::exists(directory.path() / name)) << name;
  }
  EXPECT_THAT(RemoveStaleSockets(directory.path()), ElementsAre());
  EXPECT_THAT(RemoveStaleSockets(directory.path() / "missing"), ElementsAre());
}

}  // namespace
}  // namespace fairlead::deviceplugin
