// The report stream against a registry on the loopback, over TLS.
#include "linkprobe/report/report_stream.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <mutex>
#include <optional>

#include "common/net/call_token.h"
#include "common/net/credentials.h"
#include "fairlead/v1/registry.grpc.pb.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/common/support/test_pki.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

v1::ProbePlan MakePlan(std::uint64_t term, std::uint64_t revision, const std::string& peer) {
  v1::ProbePlan plan;
  plan.set_term(term);
  plan.set_revision(revision);
  plan.set_site("hk");
  v1::PeerAssignment& assignment = *plan.add_peers();
  assignment.set_node(peer);
  assignment.set_site("sg");
  assignment.set_session_address("127.0.0.1:1");
  assignment.set_key(std::string(32, 'k'));
  return plan;
}

// Answers each stream with `plans`, or refuses it, and remembers what came.
class FakeRegistry final : public v1::LinkRegistry::Service {
 public:
  grpc::Status Connect(grpc::ServerContext* context,
                       grpc::ServerReaderWriter<v1::ProbePlan, v1::ProbeMessage>* stream) override {
    v1::ProbeMessage message;
    if (!stream->Read(&message)) return grpc::Status::OK;
    std::vector<v1::ProbePlan> plans;
    {
      std::lock_guard lock(mutex_);
      ++streams;
      token = TokenOf(*context).value_or("");
      hello = message.hello();
      if (refusal) return *refusal;
      plans = to_send;
    }
    for (const v1::ProbePlan& plan : plans) stream->Write(plan);
    while (stream->Read(&message)) {
      std::lock_guard lock(mutex_);
      batches.push_back(message.reports());
      if (hang_up_after != 0 && batches.size() >= hang_up_after) return grpc::Status::OK;
    }
    return grpc::Status::OK;
  }

  template <class Value>
  Value Read(Value FakeRegistry::*member) {
    std::lock_guard lock(mutex_);
    return this->*member;
  }
  template <class Value>
  void Set(Value FakeRegistry::*member, Value value) {
    std::lock_guard lock(mutex_);
    this->*member = std::move(value);
  }

  int streams = 0;
  std::string token;
  v1::Hello hello;
  std::vector<v1::ReportBatch> batches;
  std::vector<v1::ProbePlan> to_send;
  std::optional<grpc::Status> refusal;
  std::size_t hang_up_after = 0;

 private:
  std::mutex mutex_;
};

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
        ReportSettings{.node = "hk-1",
                       .epoch = 42,
                       .session_address = "10.0.0.1:7471",
                       .software_version = "1.2.3",
                       .interval = Milliseconds(20)},
        ReportPorts{
            .channel = [this, address]() -> Result<std::shared_ptr<grpc::Channel>> {
              return grpc::CreateChannel(address, *MakeChannelCredentials(tls_, address));
            },
            .authorize = [this](grpc::ClientContext& call) { return AddToken(token_, call); },
            .hcas = [] { return std::vector<ReportedHca>{{.device = "mlx5_0", .active = true}}; }},
        std::vector<ProbeEngine*>{&engine_}, plan_, clock_);
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
  Snapshot<Plan> plan_;
  std::unique_ptr<ReportStream> stream_;
};

TEST_F(ReportStreamTest, SaysWhoItIsAndFollowsThePlan) {
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
  ASSERT_TRUE(WaitFor([&] { return plan_.Get()->received(); }));
  EXPECT_EQ(plan_.Get()->site, "hk");
  EXPECT_NE(plan_.Get()->Find("sg-1"), nullptr);
  EXPECT_TRUE(WaitFor([&] { return stream_->status().connected; }));
}

TEST_F(ReportStreamTest, OldAndBrokenPlansChangeNothing) {
  v1::ProbePlan twice = MakePlan(9, 1, "x");
  *twice.add_peers() = twice.peers(0);
  registry_.to_send = {MakePlan(3, 7, "sg-1"), MakePlan(2, 99, "old-leader"),
                       MakePlan(3, 6, "old-revision"), twice};
  Start();
  ASSERT_TRUE(WaitFor([&] { return stream_->status().plans_refused == 1; }));
  EXPECT_EQ(stream_->status().plans_ignored, 2U);
  EXPECT_EQ(plan_.Get()->revision, 7U);
  EXPECT_NE(plan_.Get()->Find("sg-1"), nullptr);
}

TEST_F(ReportStreamTest, ABrokenStreamIsOpenedAnewAndThePlanStands) {
  registry_.to_send = {MakePlan(3, 7, "sg-1")};
  registry_.hang_up_after = 2;
  Start();
  ASSERT_TRUE(WaitFor([&] { return registry_.Read(&FakeRegistry::streams) >= 2; }));
  EXPECT_EQ(plan_.Get()->revision, 7U);
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
