// One report stream against a registry on the loopback, over TLS.
#include "linkprobe/report/report_stream.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <mutex>

#include "common/net/credentials.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/common/support/test_pki.h"
#include "tests/linkprobe/fakes/wait_for.h"
#include "tests/linkprobe/report/fake_registry.h"

namespace fairlead::linkprobe {
namespace {

class ReportStreamTest : public testing::Test {
 protected:
  ReportStreamTest() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", *MakeServerCredentials(tls_, "127.0.0.1:0"), &port_);
    builder.RegisterService(&registry_);
    server_ = builder.BuildAndStart();
  }
  ~ReportStreamTest() override {
    stream_.reset();
    server_->Shutdown(std::chrono::system_clock::now());
  }

  void Start() {
    const std::string address = "127.0.0.1:" + std::to_string(port_);
    stream_ = std::make_unique<ReportStream>(
        ReportSettings{
            .node = "hk-1", .epoch = 42, .software_version = "1.2.3", .interval = Milliseconds(20)},
        address,
        ReportPorts{
            .channel = [this, address]() -> Result<std::shared_ptr<grpc::Channel>> {
              return grpc::CreateChannel(address, *MakeChannelCredentials(tls_, address));
            },
            .session_address = [this] { return SessionAddress(); },
            .authorize = [this](grpc::ClientContext& call) { return AddToken(token_, call); },
            .hcas = [] { return std::vector<ReportedHca>{{.device = "mlx5_0", .active = true}}; },
            .opened = [this] { Note("opened"); },
            .plan = [this](const v1::ProbePlan& plan) { Note(std::to_string(plan.revision())); },
            .closed = [this] { Note("closed"); }},
        std::vector<ProbeEngine*>{&engine_}, clock_);
  }

  Result<std::string> SessionAddress() {
    std::lock_guard lock(mutex_);
    return session_address_;
  }
  void Note(const std::string& what) {
    std::lock_guard lock(mutex_);
    told_.push_back(what);
  }
  std::vector<std::string> told() {
    std::lock_guard lock(mutex_);
    return told_;
  }

  const TestPki pki_;
  const TempDirectory directory_;
  const TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  const SystemClock clock_;
  const TokenSource token_{[this] {
    const std::string path = directory_.Write("token", "secret-of-hk-1\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    return path;
  }()};
  FakeRegistry registry_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  ProbeEngine engine_{TransportKind::kUdp, EngineSettings{.epoch = 42, .seed = 1},
                      [] { return CreateUdpTransport({.host = "127.0.0.1"}); }, clock_};
  std::mutex mutex_;
  std::vector<std::string> told_;
  Result<std::string> session_address_ = std::string("10.0.0.1:7471");
  std::unique_ptr<ReportStream> stream_;
};

TEST_F(ReportStreamTest, SaysWhoItIsAndBringsThePlan) {
  registry_.to_send = {MakePlan(3, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return registry_.Read(&FakeRegistry::batches).size() > 2; }));
  const v1::Hello hello = registry_.Read(&FakeRegistry::hello);
  EXPECT_EQ(registry_.Read(&FakeRegistry::token), "secret-of-hk-1");
  EXPECT_EQ(hello.protocol_version(), 1U);
  EXPECT_EQ(hello.node(), "hk-1");
  EXPECT_EQ(hello.epoch(), 42U);
  EXPECT_EQ(hello.session_address(), "10.0.0.1:7471");
  EXPECT_EQ(hello.hcas_size(), 1);
  const auto batches = registry_.Read(&FakeRegistry::batches);
  EXPECT_EQ(batches[0].sequence(), 1U);
  EXPECT_EQ(batches[1].sequence(), 2U);
  EXPECT_GE(batches[1].unix_time_ns(), batches[0].unix_time_ns());
  EXPECT_TRUE(WaitFor([&] { return told() == std::vector<std::string>{"opened", "7"}; }));
  EXPECT_TRUE(WaitFor([&] { return stream_->status().connected; }));
}

TEST_F(ReportStreamTest, WithoutAnAddressForPeersItWaitsAndTriesAgain) {
  session_address_ = Fail(ErrorCode::kUnavailable, "no route to 10.9.9.9");
  registry_.to_send = {MakePlan(3, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return stream_->status().last_error == "no route to 10.9.9.9"; }));
  EXPECT_EQ(stream_->status().connects, 0U);
  {
    std::lock_guard lock(mutex_);
    session_address_ = std::string("10.0.0.7:7471");
  }
  ASSERT_TRUE(WaitFor([&] { return stream_->status().connected; }));
  EXPECT_EQ(registry_.Read(&FakeRegistry::hello).session_address(), "10.0.0.7:7471");
}

TEST_F(ReportStreamTest, ABrokenStreamIsOpenedAnew) {
  registry_.to_send = {MakePlan(3, 7, "sg-1")};
  registry_.hang_up_after = 2;
  Start();
  ASSERT_TRUE(WaitFor([&] { return told().size() >= 5; }));
  std::vector<std::string> first = told();
  first.resize(5);
  EXPECT_EQ(first, (std::vector<std::string>{"opened", "7", "closed", "opened", "7"}));
}

TEST_F(ReportStreamTest, ARefusalIsToldWithItsRemedy) {
  registry_.refusal = grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "token of another node");
  Start();
  ASSERT_TRUE(
      WaitFor([&] { return stream_->status().last_error.find("tokenFile") != std::string::npos; }));
  EXPECT_NE(stream_->status().last_error.find("token of another node"), std::string::npos);
  EXPECT_FALSE(stream_->status().connected);
  registry_.Set(&FakeRegistry::refusal, std::optional<grpc::Status>());
  registry_.Set(&FakeRegistry::to_send, std::vector{MakePlan(1, 1, "sg-1")});
  EXPECT_TRUE(WaitFor([&] { return stream_->status().connected; }));
  EXPECT_EQ(stream_->status().last_error, "");
}

TEST_F(ReportStreamTest, StopsWhileTheServerIsGone) {
  server_->Shutdown(std::chrono::system_clock::now());
  Start();
  ASSERT_TRUE(WaitFor([&] { return !stream_->status().last_error.empty(); }));
  stream_.reset();
}

}  // namespace
}  // namespace fairlead::linkprobe
