// Leases as the daemon runs them: two probes on the loopback, trains over UDP.
#include "linkprobe/lease/lease_runner.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <filesystem>
#include <functional>

#include "linkprobe/session/session_server.h"
#include "linkprobe/udp/train_socket.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/common/support/temp_directory.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

const std::vector<std::uint8_t> kKey(32, 0x33);

// A probe with all that a lease needs.
class Node {
 public:
  Node(const std::string& name, std::uint64_t epoch, std::string ledger_file)
      : identity_{.node = name, .epoch = epoch},
        ledger_file_(std::move(ledger_file)),
        engine_(
            TransportKind::kUdp, Settings(epoch),
            [] { return CreateUdpTransport({.host = kHost}); }, clock_),
        desk_(identity_, plan_, {&engine_}, clock_),
        measure_(name, plan_, {.bulk = {}, .train = CreateTrainReceiver}, clock_) {
    auto server = SessionServer::Start(std::string(kHost) + ":0", grpc::InsecureServerCredentials(),
                                       desk_, &measure_);
    EXPECT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    dialer_ = std::make_unique<SessionDialer>(identity_, plan_, std::vector<ProbeEngine*>{&engine_},
                                              100, desk_, Dial, clock_);
    Restart();
  }

  // Another process with the same files.
  void Restart() {
    Stop();
    leases_ = std::make_unique<LeaseRunner>(
        LeaseSettings{.node = identity_.node, .ledger_file = ledger_file_}, plan_, Dial, tap_,
        measure_, clock_);
  }

  void Stop() { leases_.reset(); }

  void Follow(const Node& peer, std::optional<BandwidthLease> lease = std::nullopt) {
    Follow(peer.identity_.node, peer.address(), std::move(lease));
  }
  void Follow(const std::string& peer, const std::string& peer_address,
              std::optional<BandwidthLease> lease) {
    plan_.Publish(Plan{.term = 1,
                       .revision = ++revision_,
                       .site = "site-" + identity_.node,
                       .peers = {{.node = peer,
                                  .site = "site-" + peer,
                                  .session_address = peer_address,
                                  .probe = true,
                                  .key_id = 4,
                                  .key = kKey}},
                       .lease = std::move(lease)});
  }

  std::string address() const { return std::string(kHost) + ":" + std::to_string(server_->port()); }
  std::shared_ptr<const LeaseBook> book() const { return leases_->Latest(); }
  // Of the newest lease, once it has ended.
  LeaseOutcome AwaitOutcome(std::uint64_t id) const {
    const auto ended = [&] {
      const auto now = book();
      return !now->outcomes().empty() && now->outcomes().back().lease_id == id;
    };
    EXPECT_TRUE(WaitFor(ended));
    return ended() ? book()->outcomes().back() : LeaseOutcome{};
  }
  std::uint64_t SpentToday() const {
    return book()->ledger().Spent("a-b", DayOf(clock_.WallNow()));
  }
  MeasureDesk& measure() { return measure_; }
  // Nobody reaches it from now on.
  void Die() { server_.reset(); }
  // It gets no round trips from now on.
  void Deafen() { hears_ = false; }

 private:
  static constexpr char kHost[] = "127.0.0.1";

  EngineSettings Settings(std::uint64_t epoch) {
    EngineSettings settings{.epoch = epoch, .seed = epoch, .probes_per_second = 100};
    settings.on_reply = [this](const SeenReply& seen) {
      if (hears_) tap_.Add(seen);
    };
    return settings;
  }
  static Result<std::shared_ptr<grpc::Channel>> Dial(const std::string& address) {
    return grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  }

  const SystemClock clock_;
  const SessionIdentity identity_;
  const std::string ledger_file_;
  Snapshot<Plan> plan_;
  std::uint64_t revision_ = 0;
  std::atomic<bool> hears_ = true;
  RoundTripTap tap_;
  ProbeEngine engine_;
  SessionDesk desk_;
  MeasureDesk measure_;
  std::unique_ptr<SessionServer> server_;
  std::unique_ptr<SessionDialer> dialer_;
  std::unique_ptr<LeaseRunner> leases_;
};

BandwidthLease TrainLease(std::uint64_t id) {
  return {.id = id,
          .peer_node = "b",
          .line = "a-b",
          .kind = TestKind::kTrain,
          .most_bytes = 30'000'000,
          .most_bytes_per_day = 100'000'000,
          .duration = Seconds(60)};
}

class LeaseRunnerTest : public testing::Test {
 protected:
  LeaseRunnerTest() {
    a_.Follow(b_);
    b_.Follow(a_);
  }

  const TempDirectory directory_;
  const std::string ledger_ = (directory_.path() / "state/spent").string();
  Node a_{"a", 1, ledger_};
  Node b_{"b", 2, (directory_.path() / "other").string()};
};

TEST_F(LeaseRunnerTest, TrainsAreSentWithinTheirBytesAndWhatTheyFoundIsToldEverAfter) {
  a_.Follow(b_, TrainLease(7));
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  ASSERT_EQ(LeaseResultName(outcome.result), "measured") << outcome.why;
  EXPECT_GT(outcome.spent_bytes, 0U);
  EXPECT_LE(outcome.spent_bytes, 30'000'000U);
  EXPECT_EQ(a_.SpentToday(), outcome.spent_bytes);
  const auto& rates = a_.book()->RatesTo("site-b");
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_EQ(rates[0].kind, TestKind::kTrain);
  EXPECT_GT(rates[0].bytes_per_second, 0);
  EXPECT_EQ(b_.measure().tester(), "") << "the peer knows that it is over";

  // The same lease in a later plan is the same one.
  a_.Follow(b_, TrainLease(7));
  a_.Follow(b_, TrainLease(8));
  EXPECT_EQ(a_.AwaitOutcome(8).lease_id, 8U);
  EXPECT_EQ(a_.book()->outcomes().size(), 2U);
}

TEST_F(LeaseRunnerTest, TheDaysBytesOutliveTheProbe) {
  BandwidthLease lease = TrainLease(7);
  lease.most_bytes = lease.most_bytes_per_day = 1'100'000;  // less than trains need
  a_.Follow(b_, lease);
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  EXPECT_EQ(LeaseResultName(outcome.result), "quota_used") << outcome.why;
  EXPECT_LE(outcome.spent_bytes, 1'100'000U);
  const std::uint64_t spent = a_.SpentToday();
  EXPECT_EQ(spent, outcome.spent_bytes);
  ASSERT_GT(spent, 0U);

  a_.Follow(b_);
  a_.Restart();
  ASSERT_TRUE(WaitFor([&] { return a_.SpentToday() == spent; }));
  lease.id = 8;
  lease.most_bytes_per_day = spent;
  a_.Follow(b_, lease);
  const LeaseOutcome second = a_.AwaitOutcome(8);
  EXPECT_EQ(LeaseResultName(second.result), "quota_used");
  EXPECT_EQ(second.spent_bytes, 0U);
  EXPECT_THAT(second.why, HasSubstr("extender.bandwidth.bytesPerDay"));
}

struct Bad {
  const char* name;
  std::function<void(BandwidthLease&)> spoil;
  const char* why;
};

class Refused : public LeaseRunnerTest, public testing::WithParamInterface<Bad> {};

TEST_P(Refused, AndSaysWhy) {
  BandwidthLease lease = TrainLease(7);
  GetParam().spoil(lease);
  a_.Follow(b_, lease);
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  EXPECT_EQ(LeaseResultName(outcome.result), "refused");
  EXPECT_THAT(outcome.why, HasSubstr(GetParam().why));
  EXPECT_EQ(outcome.spent_bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Each, Refused,
    testing::Values(
        Bad{"unknown_kind", [](BandwidthLease& l) { l.kind.reset(); }, "does not know"},
        Bad{"no_bytes", [](BandwidthLease& l) { l.most_bytes = 0; }, "no bytes"},
        Bad{"no_line", [](BandwidthLease& l) { l.line = "x\ny"; }, "no line"},
        Bad{"unknown_peer", [](BandwidthLease& l) { l.peer_node = "c"; }, "probe no \"c\""},
        Bad{"no_time", [](BandwidthLease& l) { l.duration = Nanoseconds(0); }, "time is over"},
        Bad{"no_device", [](BandwidthLease& l) { l.kind = TestKind::kSaturation; }, ""}),
    [](const auto& each) { return each.param.name; });

TEST_F(LeaseRunnerTest, ALedgerThatCannotBeReadRefuses) {
  ASSERT_TRUE(WaitFor([&] { return std::filesystem::exists(ledger_ + ".lock"); }));
  directory_.Write("state/spent", "what is this\n");
  a_.Follow(b_, TrainLease(7));
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  EXPECT_EQ(LeaseResultName(outcome.result), "refused");
  EXPECT_THAT(outcome.why, HasSubstr("remove the file"));
}

TEST_F(LeaseRunnerTest, ALeaseThatIsTakenBackBeforeItsTestBeganSendsNothing) {
  a_.Deafen();  // so that it waits for round trips
  a_.Follow(b_, TrainLease(7));
  ASSERT_TRUE(WaitFor([&] { return b_.measure().tester() == "a"; }));
  a_.Follow(b_);
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  EXPECT_EQ(LeaseResultName(outcome.result), "refused");
  EXPECT_THAT(outcome.why, HasSubstr("taken the lease back"));
  EXPECT_EQ(a_.SpentToday(), 0U);
  EXPECT_EQ(b_.measure().tester(), "");
}

TEST_F(LeaseRunnerTest, ATestUnderWayCountsAsSpentAndStopsWhenItIsTakenBack) {
  a_.Follow(b_, TrainLease(7));
  ASSERT_TRUE(WaitFor([&] { return a_.SpentToday() > 0; }));
  a_.Follow(b_);
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  // Unless this host stalled for as long as a test takes.
  if (outcome.result != LeaseResult::kMeasured) {
    EXPECT_EQ(LeaseResultName(outcome.result), "aborted");
    EXPECT_THAT(outcome.why, HasSubstr("taken the lease back"));
  }
  EXPECT_EQ(a_.SpentToday(), outcome.spent_bytes);
}

TEST_F(LeaseRunnerTest, APeerThatDiesDuringATestEndsItAndWhatWasSentCounts) {
  const std::string address = b_.address();
  a_.Follow(b_, TrainLease(7));
  ASSERT_TRUE(WaitFor([&] { return a_.SpentToday() > 0; }));
  b_.Die();
  const LeaseOutcome outcome = a_.AwaitOutcome(7);
  // Unless this host stalled for as long as a test takes.
  if (outcome.result != LeaseResult::kMeasured) {
    EXPECT_EQ(LeaseResultName(outcome.result), "aborted");
    EXPECT_THAT(outcome.why, HasSubstr(address));
    EXPECT_TRUE(a_.book()->RatesTo("site-b").empty());
  }
  EXPECT_EQ(a_.SpentToday(), outcome.spent_bytes);
  a_.Follow("b", address, TrainLease(8));
  EXPECT_EQ(LeaseResultName(a_.AwaitOutcome(8).result), "refused") << "nothing of it was sent";
}

TEST_F(LeaseRunnerTest, AProbeThatEndsDuringATestDoesNotWaitForIt) {
  a_.Deafen();
  a_.Follow(b_, TrainLease(7));
  ASSERT_TRUE(WaitFor([&] { return b_.measure().tester() == "a"; }));
  a_.Stop();
  EXPECT_EQ(b_.measure().tester(), "") << "and tells its peer";
}

}  // namespace
}  // namespace fairlead::linkprobe
