// The registry as probes meet it: real gRPC on the loopback.
#include "extender/registry/registry_server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>

#include "common/net/stream_end.h"
#include "extender/cluster/standalone.h"
#include "fairlead/v1/registry.grpc.pb.h"
#include "tests/extender/registry/counted_reports.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

class NameIsToken final : public TokenVerifier {
 public:
  Result<std::string> NodeOf(std::string_view token) override {
    if (token.starts_with("token-")) return std::string(token.substr(6));
    return Fail(ErrorCode::kUnauthenticated, "the token is unknown");
  }
};

Setup MakeTestSetup() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = std::nullopt},
                  {.name = "sg", .coordinates = std::nullopt}};
  config.nodes = {{.name = "n1", .site = "hk", .hcas = 1}, {.name = "n2", .site = "sg", .hcas = 1}};
  return MakeSetup(config, StandaloneView(config.nodes).names());
}

class Client {
 public:
  Client(std::uint16_t port, const std::string& authorization)
      : stub_(v1::LinkRegistry::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                                            grpc::InsecureChannelCredentials()))) {
    if (!authorization.empty()) context_.AddMetadata("authorization", authorization);
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    stream_ = stub_->Connect(&context_);
  }
  ~Client() { context_.TryCancel(); }

  bool Hello(const std::string& node, std::uint64_t epoch = 1, std::uint32_t version = 1) {
    v1::ProbeMessage message;
    message.mutable_hello()->set_protocol_version(version);
    message.mutable_hello()->set_node(node);
    message.mutable_hello()->set_epoch(epoch);
    message.mutable_hello()->set_session_address("127.0.0.1:1");
    return stream_->Write(message);
  }

  // Sent so many nanoseconds after the test began.
  bool Report(std::uint64_t sequence, std::uint64_t time_ns, const std::string& peer = "n2",
              std::uint64_t rtt_ns = 36'000'000) {
    return ReportAt(sequence, began_ + Nanoseconds(time_ns), peer, rtt_ns);
  }

  bool ReportAt(std::uint64_t sequence, WallTime at, const std::string& peer = "n2",
                std::uint64_t rtt_ns = 36'000'000) {
    v1::ProbeMessage message;
    v1::ReportBatch& batch = *message.mutable_reports();
    batch.set_sequence(sequence);
    batch.set_unix_time_ns(static_cast<std::uint64_t>(at.time_since_epoch().count()));
    v1::LinkReport& path = *batch.add_links();
    path.set_peer_node(peer);
    path.set_rung(v1::TRANSPORT_RUNG_UDP_SW);
    path.set_state(v1::LINK_STATE_HEALTHY);
    path.set_reason(v1::LINK_REASON_NONE);
    path.set_rtt_p50_ns(rtt_ns);
    return stream_->Write(message);
  }

  bool Send(const v1::ProbeMessage& message) { return stream_->Write(message); }
  bool NextPlan(v1::ProbePlan* plan) { return stream_->Read(plan); }

  // The status the server ended the stream with; plans on the way are read over.
  grpc::Status End() {
    v1::ProbePlan plan;
    while (stream_->Read(&plan)) {
    }
    return stream_->Finish();
  }

 private:
  const WallTime began_ = SystemClock().WallNow();
  std::unique_ptr<v1::LinkRegistry::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ProbeMessage, v1::ProbePlan>> stream_;
};

class Registry : public testing::Test {
 protected:
  Registry() {
    auto server = RegistryServer::Start({.host = "127.0.0.1", .port = 0}, TlsConfig{}, setup_,
                                        clock_, tokens_, counts_, loop_);
    EXPECT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  Client Connect(const std::string& node) { return {server_->port(), "Bearer token-" + node}; }

  const SystemClock clock_;
  NameIsToken tokens_;
  CountedReports counts_;
  Snapshot<extender::Setup> setup_{MakeTestSetup()};
  Snapshot<LinkSnapshot> links_;
  Snapshot<RegistryStatus> status_;
  RegistryLoop loop_{setup_, clock_, counts_, links_, status_};
  std::unique_ptr<RegistryServer> server_;
};

TEST_F(Registry, SendsBothProbesPlansWithOneKey) {
  Client first = Connect("n1");
  Client second = Connect("n2");
  ASSERT_TRUE(first.Hello("n1"));
  ASSERT_TRUE(second.Hello("n2"));
  v1::ProbePlan plan, other;
  do {  // the first to come may have got a plan of its own before the other was there
    ASSERT_TRUE(first.NextPlan(&plan));
  } while (plan.peers_size() == 0);
  do {
    ASSERT_TRUE(second.NextPlan(&other));
  } while (other.peers_size() == 0);
  EXPECT_EQ(plan.site(), "hk");
  EXPECT_EQ(plan.peers(0).node(), "n2");
  EXPECT_EQ(plan.peers(0).key().size(), 32U);
  EXPECT_EQ(plan.peers(0).key(), other.peers(0).key());
  EXPECT_EQ(plan.peers(0).key_id(), other.peers(0).key_id());
  EXPECT_TRUE(plan.peers(0).probe());
}

TEST_F(Registry, TakesReports) {
  Client client = Connect("n1");
  ASSERT_TRUE(client.Hello("n1"));
  ASSERT_TRUE(client.Report(1, 1'000));
  ASSERT_TRUE(client.Report(2, 2'000));
  EXPECT_TRUE(counts_.Reaches("accepted", 2));
}

TEST_F(Registry, RefusesCallersWithoutAKnownToken) {
  for (const char* authorization : {"", "Bearer nonsense", "Basic token-n1", "Bearer "}) {
    Client client(server_->port(), authorization);
    EXPECT_EQ(client.End().error_code(), grpc::StatusCode::UNAUTHENTICATED) << authorization;
  }
  EXPECT_TRUE(counts_.Reaches("unauthenticated", 4));
}

TEST_F(Registry, RefusesANodeThatTheTokenDoesNotProve) {
  Client client = Connect("n1");
  client.Hello("n2");
  const grpc::Status status = client.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(status.error_message(), HasSubstr("n2"));
  EXPECT_TRUE(counts_.Reaches("wrong_node", 1));
}

TEST_F(Registry, RefusesAnUnknownNode) {
  Client client = Connect("n9");
  client.Hello("n9");
  EXPECT_EQ(client.End().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(Registry, RefusesAFutureVersion) {
  Client client = Connect("n1");
  client.Hello("n1", 1, 2);
  const grpc::Status status = client.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("version 2"));
}

TEST_F(Registry, RefusesReportsBeforeTheHelloAndEmptyMessages) {
  Client early = Connect("n1");
  early.Report(1, 1'000);
  EXPECT_EQ(early.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  Client empty = Connect("n1");
  empty.Send(v1::ProbeMessage());
  EXPECT_EQ(empty.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Registry, RefusesASecondHello) {
  Client client = Connect("n1");
  client.Hello("n1");
  client.Hello("n1");
  EXPECT_EQ(client.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(counts_.Reaches("second_hello", 1));
}

TEST_F(Registry, RefusesAReportFromThePast) {
  Client repeated = Connect("n1");
  repeated.Hello("n1");
  repeated.Report(2, 2'000);
  repeated.Report(2, 3'000);
  EXPECT_EQ(repeated.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  Client earlier = Connect("n1");
  earlier.Hello("n1");
  earlier.Report(1, 2'000);
  earlier.Report(2, 1'000);
  EXPECT_EQ(earlier.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(counts_.Reaches("not_advancing", 2));
}

TEST_F(Registry, RefusesAFirstReportOfAClockThatIsFarOff) {
  const WallTime now = clock_.WallNow();
  for (const WallTime at : {WallTime{}, now - std::chrono::hours(1), now + std::chrono::hours(1),
                            WallTime{Nanoseconds(INT64_MAX)}}) {
    Client client = Connect("n1");
    client.Hello("n1");
    client.ReportAt(1, at);
    const grpc::Status status = client.End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("clock"));
  }
  EXPECT_TRUE(counts_.Reaches("clock", 4));
}

TEST_F(Registry, TakesReportsOfAClockThatIsSecondsOff) {
  Client client = Connect("n1");
  client.Hello("n1");
  client.ReportAt(1, clock_.WallNow() - Seconds(60));
  client.ReportAt(2, clock_.WallNow() + Seconds(60));
  EXPECT_TRUE(counts_.Reaches("accepted", 2));
}

TEST_F(Registry, AnImpossiblePathIsCountedAndTheStreamGoesOn) {
  Client client = Connect("n1");
  client.Hello("n1");
  client.Report(1, 1'000, "n2", std::uint64_t{1} << 62);
  client.Report(2, 2'000, "nobody");
  client.Report(3, 3'000);
  EXPECT_TRUE(counts_.Reaches("implausible", 1));
  EXPECT_TRUE(counts_.Reaches("unknown_peer", 1));
  EXPECT_TRUE(counts_.Reaches("accepted", 1));
}

TEST_F(Registry, TheNewestOfTwoProbesOfOneNodeWins) {
  Client first = Connect("n1");
  first.Hello("n1", 1);
  first.Report(1, 1'000);
  ASSERT_TRUE(counts_.Reaches("accepted", 1));
  Client second = Connect("n1");
  second.Hello("n1", 2);
  const grpc::Status status = first.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("newer stream"));
  EXPECT_TRUE(counts_.Reaches("duplicate_node", 1));
  second.Report(1, 1'000);
  EXPECT_TRUE(counts_.Reaches("accepted", 2));
}

TEST_F(Registry, AProbeIsToldThatTheExtenderStops) {
  Client client = Connect("n1");
  client.Hello("n1");
  client.Report(1, 1'000);
  ASSERT_TRUE(counts_.Reaches("accepted", 1));
  loop_.Stop();
  const grpc::Status status = client.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), kExtenderStopping);
}

TEST_F(Registry, AFloodOfBatchesEndsTheStream) {
  Client client = Connect("n1");
  client.Hello("n1");
  for (std::uint64_t i = 1; i <= 2000 && client.Report(i, i * 1'000); ++i) {
  }
  EXPECT_EQ(client.End().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(Registry, AnEnormousMessageEndsTheStream) {
  Client client = Connect("n1");
  v1::ProbeMessage message;
  message.mutable_hello()->set_software_version(std::string(5 << 20, 'x'));
  client.Send(message);
  const grpc::Status status = client.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("at most 4 MiB"));
  EXPECT_TRUE(counts_.Reaches("too_large", 1));
}

TEST_F(Registry, AMessageBeyondEveryLimitIsCountedToo) {
  Client client = Connect("n1");
  v1::ProbeMessage message;
  message.mutable_hello()->set_software_version(std::string(80 << 20, 'x'));
  client.Send(message);
  EXPECT_EQ(client.End().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(counts_.Reaches("too_large", 1));
}

TEST_F(Registry, BytesThatAreNoMessageAreCounted) {
  grpc::GenericStub stub(grpc::CreateChannel("127.0.0.1:" + std::to_string(server_->port()),
                                             grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer token-n1");
  grpc::CompletionQueue queue;
  const auto wait = [&] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  const auto call = stub.PrepareCall(&context, "/fairlead.v1.LinkRegistry/Connect", &queue);
  call->StartCall(nullptr);
  ASSERT_TRUE(wait());
  const grpc::Slice slice("\xff\xff\xff");
  call->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  ASSERT_TRUE(wait());
  grpc::Status status;
  call->Finish(&status, nullptr);
  ASSERT_TRUE(wait());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(counts_.Reaches("undecodable", 1));
}

TEST_F(Registry, OneNodeMayNotOpenManyStreams) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<Client>(server_->port(), "Bearer token-n1"));
  }
  EXPECT_TRUE(counts_.Reaches("too_many_streams", 1));
}

TEST_F(Registry, ATakenPortIsAClearError) {
  const auto second = RegistryServer::Start({.host = "127.0.0.1", .port = server_->port()},
                                            TlsConfig{}, setup_, clock_, tokens_, counts_, loop_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(server_->port())));
}

TEST_F(Registry, PlainTextBeyondTheLoopbackMustBeAskedFor) {
  const auto open = RegistryServer::Start({.host = "0.0.0.0", .port = 0}, TlsConfig{}, setup_,
                                          clock_, tokens_, counts_, loop_);
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().message, HasSubstr("plaintext"));
}

}  // namespace
}  // namespace fairlead::extender
