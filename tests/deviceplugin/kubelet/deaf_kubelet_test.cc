// A kubelet that asks and then reads no more: stopped by a debugger, or starved.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "common/base/file_descriptor.h"
#include "common/base/local_address.h"
#include "deviceplugin/kubelet/plugin_server.h"
#include "deviceplugin/kubelet/socket_file.h"
#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/kubelet/fake_resource.h"

namespace fairlead::deviceplugin {
namespace {

using namespace std::literals;

FileDescriptor Dial(const std::string& path) {
  FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto address = MakeLocalAddress(path);
  EXPECT_TRUE(address);
  EXPECT_EQ(connect(fd.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
  return fd;
}

// ListAndWatch by hand, so that no library reads the answer: HTTP/2 with windows that hold any
// list.
std::string Question() {
  std::string headers = "\x83\x86";  // POST, http
  const auto add = [&](std::string_view name, std::string_view value) {
    headers += name;
    headers += static_cast<char>(value.size());
    headers += value;
  };
  add("\x04"sv, "/v1beta1.DevicePlugin/ListAndWatch");
  add("\x01"sv, "localhost");
  add("\x0f\x10"sv, "application/grpc");
  add("\x00\x02te"sv, "trailers");
  std::string text = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  text += "\0\0\x06\x04\0\0\0\0\0"sv;  // SETTINGS
  text += "\0\x04\x7f\xff\xff\xff"sv;  // a stream's window
  text += "\0\0\x04\x08\0\0\0\0\0"sv;  // WINDOW_UPDATE
  text += "\x7f\xff\0\0"sv;            // the connection's
  text += "\0\0"sv;                    // HEADERS, of stream 1
  text += static_cast<char>(headers.size());
  text += "\x01\x04\0\0\0\x01"sv;
  text += headers;
  text += "\0\0\x05\0\x01\0\0\0\x01"sv;  // DATA, the last
  text += "\0\0\0\0\0"sv;                // an empty message
  return text;
}

class DeafKubeletTest : public testing::Test {
 protected:
  DeafKubeletTest() {
    std::vector<OfferedDevice> devices;
    for (int i = 0; i < 20'000; ++i) {
      devices.push_back(Device("hca-" + std::string(50, 'x') + std::to_string(i)));
    }
    offer_.Publish({MakeFake("rdma/hca", std::move(devices))});
    auto server =
        PluginServer::Start({.resource = "rdma/hca", .socket_path = path_}, offer_, tally_, [] {});
    EXPECT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  // A connection on which much more is under way than it holds.
  FileDescriptor AskAndTurnAway() {
    FileDescriptor fd = Dial(path_);
    const std::string question = Question();
    EXPECT_EQ(send(fd.get(), question.data(), question.size(), 0), std::ssize(question));
    std::string beginning(65536, '\0');
    EXPECT_EQ(recv(fd.get(), beginning.data(), beginning.size(), MSG_WAITALL),
              std::ssize(beginning));
    return fd;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path() / "s.sock";
  Snapshot<Offer> offer_;
  ServiceTally tally_;
  std::unique_ptr<PluginServer> server_;
};

TEST_F(DeafKubeletTest, TheServerEndsAllTheSame) {
  const FileDescriptor one = AskAndTurnAway();
  const FileDescriptor another = AskAndTurnAway();
  EXPECT_EQ(server_->streams_open(), 2U);
  server_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(DeafKubeletTest, TheServerEndsThoughItsTimeIsOver) {
  const FileDescriptor fd = AskAndTurnAway();
  server_->EndBy(MonotonicTime());
  server_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(DeafKubeletTest, OnlyConnectionsOfThePathAreCut) {
  const FileDescriptor fd = AskAndTurnAway();
  EXPECT_EQ(CutConnections(path_ + "x"), 0U);
  EXPECT_EQ(CutConnections(""), 0U);
  EXPECT_EQ(CutConnections(path_), 1U);
  // What was under way is lost, and then comes the end.
  std::string rest(4 << 20, '\0');
  EXPECT_LT(recv(fd.get(), rest.data(), rest.size(), MSG_WAITALL), std::ssize(rest));
  // The socket itself still takes connections.
  EXPECT_TRUE(AskAndTurnAway());
}

}  // namespace
}  // namespace fairlead::deviceplugin
