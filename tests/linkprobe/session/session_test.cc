// Session set-up between two probes over gRPC with TLS, and everything that is refused.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include "common/net/credentials.h"
#include "linkprobe/session/endpoint_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/open_call.h"
#include "linkprobe/session/session_dialer.h"
#include "linkprobe/session/session_server.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/common/support/test_pki.h"
#include "tests/linkprobe/fakes/manual_clock.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

const std::vector<std::uint8_t> kKey(32, 0x33);

PlannedPeer Peer(const std::string& node, const std::string& address, bool probe) {
  return {.node = node,
          .site = "site-" + node,
          .session_address = address,
          .probe = probe,
          .key_id = 4,
          .key = kKey};
}

// One probe as the daemon wires it, on the loopback.
class Node {
 public:
  Node(const std::string& name, std::uint64_t epoch, const Clock& clock)
      : clock_(clock),
        identity_{.node = name, .epoch = epoch},
        engine_(
            TransportKind::kUdp, Settings(epoch),
            [] { return CreateUdpTransport({.host = "127.0.0.1"}); }, system_),
        desk_(identity_, plan_, {&engine_}, clock) {}

  static EngineSettings Settings(std::uint64_t epoch) {
    EngineSettings settings{.epoch = epoch, .seed = epoch, .probes_per_second = 100};
    settings.detector.window = Milliseconds(50);
    return settings;
  }

  // Serves on the loopback; the address that was bound.
  std::string Serve(const TlsConfig& tls, const std::string& address = "127.0.0.1:0") {
    auto server = SessionServer::Start(address, *MakeServerCredentials(tls, address), desk_);
    EXPECT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    return "127.0.0.1:" + std::to_string(server_->port());
  }
  // server_name: what the peer's certificate must name; empty: the host of its address.
  void Dial(const TlsConfig& tls, const std::string& server_name = {}) {
    dialer_ = std::make_unique<SessionDialer>(
        identity_, plan_, std::vector<ProbeEngine*>{&engine_}, 100, desk_,
        [tls, server_name](const std::string& address) -> Result<std::shared_ptr<grpc::Channel>> {
          return MakeChannel(address, *MakeChannelCredentials(tls, address), server_name);
        },
        system_);
  }
  void Follow(std::vector<PlannedPeer> peers) {
    plan_.Publish(Plan{.term = 1, .revision = ++revision_, .site = "s", .peers = std::move(peers)});
  }

  ProbeEngine& engine() { return engine_; }
  SessionDesk& desk() { return desk_; }
  SessionDialer& dialer() { return *dialer_; }
  const SessionIdentity& identity() const { return identity_; }
  std::uint64_t answered() const {
    const auto seen = engine_.Latest();
    return seen->paths.empty() ? 0 : seen->paths.front().totals.answered;
  }

 private:
  const SystemClock system_;
  const Clock& clock_;
  const SessionIdentity identity_;
  Snapshot<Plan> plan_;
  std::uint64_t revision_ = 0;
  ProbeEngine engine_;
  SessionDesk desk_;
  std::unique_ptr<SessionServer> server_;
  std::unique_ptr<SessionDialer> dialer_;
};

class SessionTest : public testing::Test {
 protected:
  const TestPki pki_;
  const TempDirectory directory_;
  const TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  const SystemClock clock_;
};

TEST_F(SessionTest, AProbeOpensASessionMeasuresAndReopensAfterAPeersRestart) {
  Node a("a", 1, clock_);
  a.Dial(tls_);
  auto b = std::make_unique<Node>("b", 2, clock_);
  const std::string address = b->Serve(tls_);
  b->Follow({Peer("a", "127.0.0.1:1", false)});
  a.Follow({Peer("b", address, true)});
  ASSERT_TRUE(WaitFor([&] { return a.answered() > 20; }));
  EXPECT_EQ(b->desk().counts()[static_cast<std::size_t>(OpenOutcome::kOpened)], 1U);

  // The restarted peer knows nothing of the session; the silence brings a new one.
  b.reset();
  b = std::make_unique<Node>("b", 3, clock_);
  b->Follow({Peer("a", "127.0.0.1:1", false)});
  b->Serve(tls_, address);
  ASSERT_TRUE(WaitFor([&] {
    const auto seen = a.engine().Latest();
    return !seen->paths.empty() && seen->paths.front().totals.peer_restarts == 1;
  }));
  const std::uint64_t before = a.answered();
  EXPECT_TRUE(WaitFor([&] { return a.answered() > before + 20; }));

  a.Follow({});
  EXPECT_TRUE(WaitFor([&] { return a.engine().Latest()->paths.empty(); }));
}

TEST_F(SessionTest, ATestOfTheLineReachesItsPathsWithThePlan) {
  Node a("a", 1, clock_);
  a.Dial(tls_);
  Node b("b", 2, clock_);
  PlannedPeer peer = Peer("b", b.Serve(tls_), true);
  b.Follow({Peer("a", "127.0.0.1:1", false)});
  a.Follow({peer});
  ASSERT_TRUE(WaitFor([&] { return a.answered() > 20; }));
  const auto told = [&] {
    const auto seen = a.engine().Latest();
    return seen->paths.front().verdict.evidence.find("bandwidth test") != std::string::npos;
  };
  EXPECT_FALSE(told());
  peer.line_tested = true;
  a.Follow({peer});
  EXPECT_TRUE(WaitFor(told));
  peer.line_tested = false;
  a.Follow({peer});
  EXPECT_TRUE(WaitFor([&] { return !told(); }));
}

TEST_F(SessionTest, APeersCertificateHasTheNameThatIsAskedFor) {
  const TempDirectory directory;
  const TlsConfig named = pki_.Issue(directory, "DNS:probe.test");
  Node b("b", 2, clock_);
  b.Follow({Peer("a", "127.0.0.1:1", false)});
  const std::string address = b.Serve(named);
  for (const std::string name : {"probe.test", "other.test", ""}) {
    Node a("a", 1, clock_);
    a.Dial(named, name);
    a.Follow({Peer("b", address, true)});
    if (name == "probe.test") {
      EXPECT_TRUE(WaitFor([&] { return a.answered() > 0; }));
    } else {
      EXPECT_TRUE(WaitFor([&] {
        const auto dials = a.dialer().Latest();
        return dials->contains("b") && dials->at("b").failures > 0;
      })) << name;
      EXPECT_EQ(a.answered(), 0U) << name;
    }
  }
}

TEST_F(SessionTest, AnUnreachablePeerIsToldAndTriedAgain) {
  Node a("a", 1, clock_);
  a.Dial(tls_);
  a.Follow({Peer("b", "127.0.0.1:1", true)});
  ASSERT_TRUE(WaitFor([&] {
    const auto dials = a.dialer().Latest();
    return dials->contains("b") && dials->at("b").failures > 1;
  }));
  EXPECT_NE(a.dialer().Latest()->at("b").last_error, "");
}

TEST_F(SessionTest, ATakenAddressIsSaid) {
  Node a("a", 1, clock_);
  const std::string address = a.Serve(tls_);
  const auto second =
      SessionServer::Start(address, *MakeServerCredentials(tls_, address), a.desk());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(address), std::string::npos);
}

class SessionDeskTest : public testing::Test {
 protected:
  SessionDeskTest() {
    node_.Follow({Peer("a", "127.0.0.1:1", false)});
    EXPECT_TRUE(WaitFor([&] { return node_.engine().Latest()->transport_up; }));
  }

  v1::OpenRequest Unsigned() const {
    v1::OpenRequest request;
    request.set_protocol_version(kSessionProtocolVersion);
    request.set_prober_node("a");
    request.set_responder_node("b");
    request.set_prober_epoch(1);
    request.set_nonce(RandomNonce());
    request.set_unix_time_ns(
        static_cast<std::uint64_t>(clock_.WallNow().time_since_epoch().count()));
    request.add_offered(v1::TRANSPORT_KIND_UDP);
    ToProto({.kind = TransportKind::kUdp, .address = "127.0.0.1", .port = 9},
            *request.add_endpoints());
    return request;
  }
  SessionDesk::Decision Ask(v1::OpenRequest request, std::uint32_t key_id = 4) {
    EXPECT_TRUE(Sign(request, key_id, kKey));
    return node_.desk().Open(request, "127.0.0.1");
  }

  ManualClock clock_;
  Node node_{"b", 2, clock_};
};

TEST_F(SessionDeskTest, AGoodRequestIsAnsweredProvably) {
  v1::OpenRequest request = Unsigned();
  ASSERT_TRUE(Sign(request, 4, kKey));
  const auto decision = node_.desk().Open(request, "127.0.0.1");
  ASSERT_TRUE(decision.reply) << decision.reply.error().message;
  const auto opened = JudgeOpenReply(request, *decision.reply, Peer("b", "127.0.0.1:1", true));
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->kind, TransportKind::kUdp);
  EXPECT_EQ(opened->session.peer_epoch, 2U);
  EXPECT_EQ(opened->session.endpoints.front().address, "127.0.0.1");
  EXPECT_EQ(node_.desk().PeerEpoch("a"), 1U);

  v1::OpenReply other = *decision.reply;
  other.set_session_id(other.session_id() + 1);
  EXPECT_FALSE(JudgeOpenReply(request, other, Peer("b", "127.0.0.1:1", true)));
  v1::OpenRequest later = Unsigned();
  EXPECT_FALSE(JudgeOpenReply(later, *decision.reply, Peer("b", "127.0.0.1:1", true)))
      << "an old answer to a new question";
}

TEST(EndpointCodec, CarriesWhatAnEndSaysOfItself) {
  Endpoint end{.kind = TransportKind::kRdmaUd};
  end.qp_number = 7;
  end.path_mtu_bytes = 4096;
  end.traffic_class = 106;
  end.roce_version = 2;
  v1::Endpoint wire;
  ToProto(end, wire);
  EXPECT_EQ(FromProto(wire).value(), end);
  wire.clear_traffic_class();
  wire.set_roce_version(0);
  EXPECT_FALSE(FromProto(wire).value().traffic_class) << "an older peer tells neither";
  wire.set_traffic_class(256);
  wire.set_roce_version(3);
  EXPECT_FALSE(FromProto(wire).value().traffic_class) << "nonsense is no reason to refuse";
  EXPECT_EQ(FromProto(wire).value().roce_version, 0);
}

TEST_F(SessionDeskTest, EachBadRequestHasItsReason) {
  struct Case {
    const char* what;
    void (*spoil)(v1::OpenRequest&);
    OpenOutcome outcome;
  };
  const Case cases[] = {
      {"version", [](v1::OpenRequest& r) { r.set_protocol_version(99); }, OpenOutcome::kVersion},
      {"other node", [](v1::OpenRequest& r) { r.set_responder_node("c"); },
       OpenOutcome::kWrongResponder},
      {"stranger", [](v1::OpenRequest& r) { r.set_prober_node("mallory"); },
       OpenOutcome::kStranger},
      {"from the past", [](v1::OpenRequest& r) { r.set_unix_time_ns(5); }, OpenOutcome::kBadTime},
      {"from the future", [](v1::OpenRequest& r) { r.set_unix_time_ns(UINT64_MAX); },
       OpenOutcome::kBadTime},
      {"short nonce", [](v1::OpenRequest& r) { r.set_nonce("x"); }, OpenOutcome::kReplayed},
      {"no endpoint", [](v1::OpenRequest& r) { r.clear_endpoints(); }, OpenOutcome::kBadEndpoints},
      {"bad endpoint", [](v1::OpenRequest& r) { r.mutable_endpoints(0)->set_port(70000); },
       OpenOutcome::kBadEndpoints},
      {"other transport", [](v1::OpenRequest& r) { r.set_offered(0, v1::TRANSPORT_KIND_RDMA_UD); },
       OpenOutcome::kNoCommonTransport},
  };
  for (const Case& c : cases) {
    v1::OpenRequest request = Unsigned();
    c.spoil(request);
    const auto decision = Ask(request);
    EXPECT_EQ(OpenOutcomeName(decision.outcome), OpenOutcomeName(c.outcome)) << c.what;
    EXPECT_FALSE(decision.reply) << c.what;
    EXPECT_GE(node_.desk().counts()[static_cast<std::size_t>(c.outcome)], 1U) << c.what;
  }
  EXPECT_EQ(Ask(Unsigned(), 5).outcome, OpenOutcome::kWrongKey);
  v1::OpenRequest changed = Unsigned();
  ASSERT_TRUE(Sign(changed, 4, kKey));
  changed.set_prober_epoch(7);
  EXPECT_EQ(node_.desk().Open(changed, "127.0.0.1").outcome, OpenOutcome::kBadMac);
}

TEST_F(SessionDeskTest, AReplayIsRefused) {
  v1::OpenRequest request = Unsigned();
  ASSERT_TRUE(Sign(request, 4, kKey));
  EXPECT_EQ(node_.desk().Open(request, "127.0.0.1").outcome, OpenOutcome::kOpened);
  EXPECT_EQ(node_.desk().Open(request, "127.0.0.1").outcome, OpenOutcome::kReplayed);
  clock_.Advance(Seconds(299));
  EXPECT_EQ(node_.desk().Open(request, "127.0.0.1").outcome, OpenOutcome::kReplayed);
  clock_.Advance(Seconds(400));
  EXPECT_EQ(node_.desk().Open(request, "127.0.0.1").outcome, OpenOutcome::kBadTime);
}

TEST(SessionDeskPlanTest, WithoutAPlanNobodyIsKnown) {
  ManualClock clock;
  Node node("b", 2, clock);
  v1::OpenRequest request;
  request.set_protocol_version(kSessionProtocolVersion);
  request.set_responder_node("b");
  const auto decision = node.desk().Open(request, "127.0.0.1");
  EXPECT_EQ(decision.outcome, OpenOutcome::kNoPlan);
  EXPECT_EQ(decision.reply.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace fairlead::linkprobe
