// Real socket files: made, replaced, left alone and cleared away.
#include "deviceplugin/verdicts/probe_socket.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <utility>

#include "tests/deviceplugin/verdicts/socket_folder.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ProbeSocketTest : public SocketFolder {};

TEST_F(ProbeSocketTest, TakesDatagramsOfTheSameUser) {
  auto socket = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(socket) << socket.error().message;
  ProbeDatagram datagram;
  EXPECT_FALSE(socket->Take(datagram));
  ASSERT_TRUE(Send("hello"));
  ASSERT_TRUE(Send(std::string(64, 'x')));
  ASSERT_TRUE(Send(std::string(65, 'x')));
  ASSERT_TRUE(Send(""));
  ASSERT_TRUE(socket->Take(datagram));
  EXPECT_EQ(datagram.bytes, "hello");
  EXPECT_TRUE(datagram.trusted);
  EXPECT_FALSE(datagram.truncated);
  ASSERT_TRUE(socket->Take(datagram));
  EXPECT_FALSE(datagram.truncated);
  ASSERT_TRUE(socket->Take(datagram));
  EXPECT_TRUE(datagram.truncated);
  ASSERT_TRUE(socket->Take(datagram));
  EXPECT_EQ(datagram.bytes, "");
  EXPECT_FALSE(datagram.truncated);
  EXPECT_FALSE(socket->Take(datagram));
}

TEST_F(ProbeSocketTest, IsOpenToItsOwnerOnly) {
  const auto socket = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(socket);
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(ProbeSocketTest, ReplacesOneThatNobodyServes) {
  ASSERT_TRUE(fs::create_directory(folder_ / "run"));
  {
    const FileDescriptor left(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto address = MakeLocalAddress(path_).value();
    ASSERT_EQ(bind(left.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ASSERT_TRUE(fs::exists(path_));
  auto socket = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(socket) << socket.error().message;
  EXPECT_TRUE(Send("x"));
  ProbeDatagram datagram;
  EXPECT_TRUE(socket->Take(datagram));
}

TEST_F(ProbeSocketTest, LeavesWhatIsNotItsOwn) {
  auto first = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(first);
  const auto second = ProbeSocket::Bind(path_, 64);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, HasSubstr("served by another process"));
  EXPECT_TRUE(first->IsAtPath());

  const std::string file = (folder_ / "file").string();
  std::ofstream(file) << "precious";
  const auto on_file = ProbeSocket::Bind(file, 64);
  ASSERT_FALSE(on_file);
  EXPECT_THAT(on_file.error().message, HasSubstr("no socket"));
  EXPECT_EQ(fs::file_size(file), 8U);
}

TEST_F(ProbeSocketTest, RemovesItsFileAndNoSuccessors) {
  auto first = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(first);
  { const ProbeSocket gone = *std::move(first); }
  EXPECT_FALSE(fs::exists(path_));

  auto second = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(second);
  ASSERT_TRUE(fs::remove(path_));
  EXPECT_FALSE(second->IsAtPath());
  const auto third = ProbeSocket::Bind(path_, 64);
  ASSERT_TRUE(third);
  { const ProbeSocket gone = *std::move(second); }
  EXPECT_TRUE(third->IsAtPath());
}

TEST_F(ProbeSocketTest, SaysWhyItCannotBe) {
  const auto deep = ProbeSocket::Bind((folder_ / "a/b/c.sock").string(), 64);
  ASSERT_FALSE(deep);
  EXPECT_THAT(deep.error().message, HasSubstr("a/b"));
  const auto too_long = ProbeSocket::Bind("/" + std::string(107, 'x'), 64);
  ASSERT_FALSE(too_long);
  EXPECT_THAT(too_long.error().message, HasSubstr("108 bytes; the kernel takes at most 107"));
  EXPECT_FALSE(ProbeSocket::Bind("", 64));
  EXPECT_FALSE(ProbeSocket::Bind(std::string("/a\0b", 4), 64));
}

}  // namespace
}  // namespace fairlead::deviceplugin
