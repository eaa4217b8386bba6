// Bandwidth tests asked for over gRPC: one at a time, from proven peers, for as long as their
// lease.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "fairlead/v1/session.grpc.pb.h"
#include "linkprobe/session/bulk_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/measure_call.h"
#include "linkprobe/session/measure_desk.h"
#include "linkprobe/session/session_dialer.h"
#include "linkprobe/session/session_server.h"
#include "linkprobe/udp/train_socket.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

const std::vector<std::uint8_t> kKey(32, 0x33);

// Counts how many exist.
class FakeReceiver final : public BulkReceiver {
 public:
  FakeReceiver(const BulkEnd& sender, std::atomic<int>& alive) : end_(sender), alive_(alive) {
    end_.buffer_address = 0x1000;
    end_.buffer_key = 7;
    end_.buffer_bytes = kBulkBufferBytes;
    ++alive_;
  }
  ~FakeReceiver() override { --alive_; }
  const BulkEnd& end() const override { return end_; }

 private:
  BulkEnd end_;
  std::atomic<int>& alive_;
};

BulkEnd TwoQueues() {
  BulkEnd end;
  end.path_mtu_bytes = 4096;
  end.queues = {{.gid = {1, 2}, .qp_number = 17, .psn = 5},
                {.gid = {1, 2}, .qp_number = 18, .psn = 6}};
  return end;
}

class MeasureTest : public testing::Test {
 protected:
  MeasureTest() {
    plan_.Publish(Plan{.revision = 1,
                       .peers = {{.node = "a", .key_id = 4, .key = kKey},
                                 {.node = "c", .key_id = 4, .key = kKey}}});
    auto server =
        SessionServer::Start("127.0.0.1:0", grpc::InsecureServerCredentials(), sessions_, &desk_);
    EXPECT_TRUE(server);
    server_ = std::move(*server);
  }

  MeasureCall Caller(const std::string& node, Nanoseconds lease = Seconds(60),
                     std::vector<std::uint8_t> key = kKey) const {
    const std::string address = "127.0.0.1:" + std::to_string(server_->port());
    return MeasureCall(
        grpc::CreateChannel(address, grpc::InsecureChannelCredentials()), node,
        {.node = "b", .session_address = address, .key_id = 4, .key = std::move(key)}, lease,
        system_);
  }

  const SystemClock system_;
  Snapshot<Plan> plan_;
  std::atomic<int> alive_{0};
  SessionDesk sessions_{{.node = "b", .epoch = 1}, plan_, {}, system_};
  MeasureDesk desk_{
      "b",
      plan_,
      {.bulk = [this](const BulkEnd& sender) -> Result<std::unique_ptr<BulkReceiver>> {
         return std::make_unique<FakeReceiver>(sender, alive_);
       },
       .train = CreateTrainReceiver},
      system_};
  std::unique_ptr<SessionServer> server_;
};

TEST_F(MeasureTest, ATestIsReadiedAndEndsWithItsTester) {
  {
    MeasureCall call = Caller("a");
    const auto end = call.OpenBulk(TwoQueues());
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(end->queues, TwoQueues().queues);
    EXPECT_EQ(end->buffer_key, 7U);
    EXPECT_EQ(alive_, 1);
    EXPECT_EQ(desk_.tester(), "a");
    ASSERT_TRUE(call.OpenBulk(TwoQueues()));  // anew in the same test
    EXPECT_EQ(alive_, 1);
  }
  EXPECT_EQ(alive_, 0);
  EXPECT_EQ(desk_.tester(), "");
}

TEST_F(MeasureTest, TheSecondTesterIsToldWhoTestsAndForHowLong) {
  MeasureCall first = Caller("a");
  ASSERT_TRUE(first.OpenBulk(TwoQueues()));
  MeasureCall second = Caller("c");
  const auto refused = second.OpenBulk(TwoQueues());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("node \"a\" is testing"));
  MeasureCall same_node = Caller("a");
  EXPECT_FALSE(same_node.OpenBulk(TwoQueues())) << "another test of the same node";
  EXPECT_EQ(alive_, 1);
  EXPECT_TRUE(first.OpenBulk(TwoQueues())) << "a refused test ends no other";
}

TEST_F(MeasureTest, ATesterThatDiesHoldsTheNodeNoLongerThanItsLease) {
  std::unique_ptr<MeasureCall> dead(new MeasureCall(Caller("a", Milliseconds(300))));
  ASSERT_TRUE(dead->OpenBulk(TwoQueues()));
  EXPECT_TRUE(WaitFor([&] { return alive_ == 0 && desk_.tester().empty(); }));
  MeasureCall next = Caller("c");
  EXPECT_TRUE(next.OpenBulk(TwoQueues()));
  dead.reset();  // its belated farewell ends nobody else's test
  EXPECT_EQ(desk_.tester(), "c");
}

TEST_F(MeasureTest, StrangersAndForgersAreRefused) {
  EXPECT_THAT(Caller("x").OpenBulk(TwoQueues()).error().message,
              HasSubstr("not in this probe's plan"));
  const auto forged =
      Caller("a", Seconds(60), std::vector<std::uint8_t>(32, 1)).OpenBulk(TwoQueues());
  ASSERT_FALSE(forged);
  EXPECT_THAT(forged.error().message, HasSubstr("mac does not fit"));
  EXPECT_FALSE(Caller("a", Seconds(121)).OpenBulk(TwoQueues())) << "a lease that is too long";
  EXPECT_FALSE(Caller("a").OpenBulk(BulkEnd{})) << "no queue pair";
  EXPECT_EQ(alive_, 0);
}

TEST_F(MeasureTest, ARequestCannotBeReplayed) {
  v1::MeasureRequest request;
  request.set_protocol_version(kSessionProtocolVersion);
  request.set_tester_node("a");
  request.set_receiver_node("b");
  request.set_test_id(9);
  request.set_nonce(RandomNonce());
  request.set_unix_time_ns(
      static_cast<std::uint64_t>(system_.WallNow().time_since_epoch().count()));
  request.set_lease_ms(1000);
  ToProto(TwoQueues(), *request.mutable_bulk());
  ASSERT_TRUE(Sign(request, 4, kKey));
  const auto first = desk_.Handle(request, "127.0.0.1");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(Verify(*first, 4, kKey));
  EXPECT_FALSE(desk_.Handle(request, "127.0.0.1"));
  request.set_nonce(RandomNonce());
  request.set_lease_ms(2000);
  EXPECT_FALSE(desk_.Handle(request, "127.0.0.1")) << "changed after it was signed";
  request.clear_bulk();
  ASSERT_TRUE(Sign(request, 4, kKey));
  EXPECT_EQ(desk_.Handle(request, "127.0.0.1").error().code, ErrorCode::kUnsupported);
}

TEST_F(MeasureTest, AServerWithoutADeskSaysSo) {
  const auto plain =
      SessionServer::Start("127.0.0.1:0", grpc::InsecureServerCredentials(), sessions_);
  ASSERT_TRUE(plain);
  const std::string address = "127.0.0.1:" + std::to_string((*plain)->port());
  MeasureCall call(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()), "a",
                   {.node = "b", .session_address = address, .key_id = 4, .key = kKey}, Seconds(9),
                   system_);
  EXPECT_EQ(call.OpenBulk(TwoQueues()).error().code, ErrorCode::kUnsupported);
}

TEST_F(MeasureTest, TrainsArriveWithTheirStamps) {
  MeasureCall call = Caller("a");
  const auto target = call.OpenTrain();
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->address, "127.0.0.1");
  auto sender = TrainSender::Open(target->address, target->port, 0, call.test_id(), 1400);
  ASSERT_TRUE(sender) << sender.error().message;
  ASSERT_TRUE(sender->Send(3, 32, system_));
  auto stranger = TrainSender::Open(target->address, target->port, 0, call.test_id() + 1, 1400);
  ASSERT_TRUE(stranger->Send(3, 32, system_));
  std::vector<TrainArrival> arrivals;
  ASSERT_TRUE(WaitFor([&] {
    arrivals = call.Arrivals(3).value_or(std::vector<TrainArrival>());
    return arrivals.size() >= 32;
  }));
  EXPECT_EQ(arrivals.size(), 32U);
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    EXPECT_EQ(arrivals[i].index, i);
    // On the loopback each stamp is made by the core that sends, and two cores' may be out of
    // order.
    EXPECT_NEAR(static_cast<double>(arrivals[i].at_ns), static_cast<double>(arrivals[0].at_ns),
                60e9);
  }
  EXPECT_TRUE(call.Arrivals(4)->empty());
  EXPECT_EQ(sender->frame_bytes(), 1442U);
}

// While it exists the environment sends gRPC to a proxy that is not there.
class DeadProxy {
 public:
  DeadProxy() {
    for (const char* name : kNames) ::setenv(name, "http://127.0.0.9:1", 1);
  }
  ~DeadProxy() {
    for (const char* name : kNames) ::unsetenv(name);
  }

 private:
  static constexpr std::array kNames{"grpc_proxy", "http_proxy", "https_proxy"};
};

TEST_F(MeasureTest, AProxyOfTheEnvironmentIsPassedOver) {
  const DeadProxy proxy;
  const std::string address = "127.0.0.1:" + std::to_string(server_->port());
  MeasureCall call(MakeChannel(address, grpc::InsecureChannelCredentials()), "a",
                   {.node = "b", .session_address = address, .key_id = 4, .key = kKey}, Seconds(9),
                   system_);
  const auto target = call.OpenTrain();
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->address, "127.0.0.1") << "trains go to the peer, not to a proxy";
}

// Holds the pair's key, and names another's address for trains.
class Liar final : public v1::LinkSession::Service {
 public:
  explicit Liar(std::uint32_t port) : port_(port) {}
  grpc::Status Measure(grpc::ServerContext*, const v1::MeasureRequest* request,
                       v1::MeasureReply* reply) override {
    reply->set_nonce(request->nonce());
    if (request->has_train()) {
      reply->mutable_train()->set_port(port_);
      reply->mutable_train()->set_address("192.0.2.1");
    }
    EXPECT_TRUE(Sign(*reply, 4, kKey));
    return grpc::Status::OK;
  }

 private:
  const std::uint32_t port_;
};

Result<TrainTarget> AskLiar(std::uint32_t port) {
  Liar liar(port);
  int bound = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &bound);
  builder.RegisterService(&liar);
  const auto server = builder.BuildAndStart();
  const std::string address = "127.0.0.1:" + std::to_string(bound);
  const SystemClock clock;
  MeasureCall call(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()), "a",
                   {.node = "b", .session_address = address, .key_id = 4, .key = kKey}, Seconds(9),
                   clock);
  return call.OpenTrain();
}

TEST(MeasureCallTest, TrainsGoOnlyToThePeerThatAnswers) {
  const auto target = AskLiar(4791);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->address, "127.0.0.1");
  EXPECT_EQ(target->port, 4791);
  for (const std::uint32_t port : {0U, 65536U}) {
    EXPECT_THAT(AskLiar(port).error().message, HasSubstr("port " + std::to_string(port)));
  }
}

TEST(BulkCodecTest, RefusesWhatNoDeviceCanBe) {
  v1::BulkEnd good;
  ToProto(TwoQueues(), good);
  ASSERT_TRUE(FromProto(good));
  v1::BulkEnd bad = good;
  bad.mutable_queues(0)->set_gid("short");
  EXPECT_FALSE(FromProto(bad));
  bad = good;
  bad.mutable_queues(0)->set_qp_number(1 << 24);
  EXPECT_FALSE(FromProto(bad));
  bad = good;
  bad.mutable_queues(1)->set_psn(1 << 24);
  EXPECT_FALSE(FromProto(bad));
  bad = good;
  while (bad.queues_size() <= 64) *bad.add_queues() = good.queues(0);
  EXPECT_FALSE(FromProto(bad));
}

}  // namespace
}  // namespace fairlead::linkprobe
