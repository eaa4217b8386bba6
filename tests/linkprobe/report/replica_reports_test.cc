// A probe and several replicas of the extender, each on a loopback address of its own, over TLS
// with one certificate, as behind a headless Service.
#include "linkprobe/report/replica_reports.h"

#include <gtest/gtest.h>

#include "common/net/credentials.h"
#include "linkprobe/session/measure_desk.h"
#include "linkprobe/session/session_dialer.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/common/support/test_pki.h"
#include "tests/linkprobe/fakes/wait_for.h"
#include "tests/linkprobe/report/fake_registry.h"

namespace fairlead::linkprobe {
namespace {

constexpr char kName[] = "fairlead-extender.test";

struct Replica {
  Replica(const std::string& ip, const TlsConfig& tls) {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(ip + ":0", *MakeServerCredentials(tls, ip + ":0"), &port);
    builder.RegisterService(&registry);
    server = builder.BuildAndStart();
    address = ip + ":" + std::to_string(port);
  }
  ~Replica() { Die(); }
  void Die() {
    registry.Hang(false);
    server->Shutdown(std::chrono::system_clock::now());
  }

  FakeRegistry registry;
  std::string address;
  std::unique_ptr<grpc::Server> server;
};

class ReplicaReportsTest : public testing::Test {
 protected:
  void Start() {
    reports_ = std::make_unique<ReplicaReports>(
        ReportSettings{
            .node = "hk-1", .epoch = 42, .software_version = "1.2.3", .interval = Milliseconds(20)},
        ReplicaPorts{.addresses = [this] { return Hosts(); },
                     .channel = [this](const std::string& address) { return Dial(address); },
                     .session_address = [](const std::string& address) -> Result<std::string> {
                       return "for " + address;
                     },
                     .authorize = [](grpc::ClientContext&) { return Status(); },
                     .hcas = [] { return std::vector<ReportedHca>(); }},
        std::vector<ProbeEngine*>{&engine_}, plan_, clock_);
  }

  Result<std::shared_ptr<grpc::Channel>> Dial(const std::string& address) {
    return MakeChannel(address, *MakeChannelCredentials(tls_, std::string(kName) + ":1"), kName);
  }
  Result<std::vector<std::string>> Hosts() {
    std::lock_guard lock(mutex_);
    ++lookups_;
    return hosts_;
  }
  void SetHosts(Result<std::vector<std::string>> hosts) {
    std::lock_guard lock(mutex_);
    hosts_ = std::move(hosts);
  }
  int lookups() {
    std::lock_guard lock(mutex_);
    return lookups_;
  }
  std::size_t BatchesOf(Replica& replica) {
    return replica.registry.Read(&FakeRegistry::batches).size();
  }
  // "term.revision" of the plan in force.
  std::string InForce() const {
    const auto plan = plan_.Get();
    return std::to_string(plan->term) + "." + std::to_string(plan->revision);
  }

  const TestPki pki_;
  const TempDirectory directory_;
  const TlsConfig tls_ = pki_.Issue(directory_, std::string("DNS:") + kName);
  const SystemClock clock_;
  Replica a_{"127.0.0.2", tls_};
  Replica b_{"127.0.0.3", tls_};
  ProbeEngine engine_{TransportKind::kUdp, EngineSettings{.epoch = 42, .seed = 1},
                      [] { return CreateUdpTransport({.host = "127.0.0.1"}); }, clock_};
  Snapshot<Plan> plan_;
  std::mutex mutex_;
  Result<std::vector<std::string>> hosts_ = std::vector<std::string>{a_.address, b_.address};
  int lookups_ = 0;
  std::unique_ptr<ReplicaReports> reports_;
};

TEST_F(ReplicaReportsTest, EachReplicaGetsAllReportsAndTheLeaderIsObeyed) {
  a_.registry.to_send = {NoPlan(6)};
  b_.registry.to_send = {MakePlan(6, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return BatchesOf(a_) > 2 && BatchesOf(b_) > 2; }));
  for (Replica* replica : {&a_, &b_}) {
    EXPECT_EQ(replica->registry.Read(&FakeRegistry::hello).session_address(),
              "for " + replica->address);
  }
  ASSERT_TRUE(WaitFor([&] { return InForce() == "6.7"; }));
  ASSERT_TRUE(WaitFor([&] { return reports_->status().connections == 2; }));
  EXPECT_EQ(reports_->status().replicas, 2U);
  EXPECT_TRUE(reports_->status().connected);
  EXPECT_EQ(reports_->status().plans_taken, 1U);
  EXPECT_EQ(reports_->status().plans_refused, 0U) << "a follower's word is no broken plan";
}

TEST_F(ReplicaReportsTest, ALeaderThatChangesIsFollowedOnce) {
  a_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  b_.registry.to_send = {NoPlan(1)};
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.7" && BatchesOf(b_) > 0; }));
  a_.registry.SendAll(NoPlan(1));
  b_.registry.SendAll(MakePlan(2, 3, "sg-2"));
  ASSERT_TRUE(WaitFor([&] { return InForce() == "2.3"; }));
  EXPECT_EQ(reports_->status().plans_taken, 2U);
  // Words of the old leader that were on their way, and its stream that breaks, change nothing.
  a_.registry.SendAll(MakePlan(1, 8, "sg-1"));
  ASSERT_TRUE(WaitFor([&] { return reports_->status().plans_ignored == 1; }));
  a_.Die();
  ASSERT_TRUE(WaitFor([&] { return reports_->status().connections == 1; }));
  EXPECT_EQ(InForce(), "2.3");
  EXPECT_EQ(reports_->status().plans_taken, 2U);
  EXPECT_EQ(reports_->status().last_error, "") << "one replica takes reports";
}

TEST_F(ReplicaReportsTest, ALeaseIsGoneWithTheStreamThatBroughtIt) {
  v1::ProbePlan plan = MakePlan(1, 7, "sg-1");
  plan.mutable_lease()->set_id(99);
  plan.mutable_lease()->set_peer_node("sg-1");
  plan.mutable_lease()->set_kind(v1::BandwidthLease::KIND_TRAIN);
  plan.mutable_lease()->set_most_bytes(5);
  plan.mutable_lease()->set_duration_ns(~std::uint64_t{0});
  a_.registry.to_send = {plan};
  b_.registry.to_send = {NoPlan(1)};
  Start();
  ASSERT_TRUE(WaitFor([&] { return plan_.Get()->lease.has_value(); }));
  EXPECT_EQ(plan_.Get()->lease->id, 99U);
  EXPECT_EQ(plan_.Get()->lease->kind, TestKind::kTrain);
  EXPECT_EQ(plan_.Get()->lease->duration, kLongestLease) << "never longer than a peer allows";
  a_.Die();
  ASSERT_TRUE(WaitFor([&] { return !plan_.Get()->lease; }));
  EXPECT_EQ(InForce(), "1.7");
}

TEST_F(ReplicaReportsTest, ADeadReplicaDelaysNobody) {
  a_.Die();
  b_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.7" && BatchesOf(b_) > 20; }));
  EXPECT_EQ(reports_->status().replicas, 2U);
}

TEST_F(ReplicaReportsTest, AReplicaThatHangsDelaysNobodyNorTheEnd) {
  a_.registry.Hang(true);
  b_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return a_.registry.Read(&FakeRegistry::streams) == 1; }));
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.7" && BatchesOf(b_) > 20; }));
  reports_.reset();
}

TEST_F(ReplicaReportsTest, AddressesAreLookedUpAgainWhenAStreamEnds) {
  SetHosts(std::vector<std::string>{a_.address});
  a_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  b_.registry.to_send = {MakePlan(2, 1, "sg-2")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.7"; }));
  EXPECT_EQ(reports_->status().replicas, 1U);
  const std::uint64_t sent = [&] {
    WaitFor([&] { return reports_->status().batches_sent > 3; });
    return reports_->status().batches_sent;
  }();
  SetHosts(std::vector<std::string>{b_.address});
  a_.Die();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "2.1"; }));
  ASSERT_TRUE(WaitFor([&] { return reports_->status().replicas == 1; }));
  EXPECT_GE(reports_->status().batches_sent, sent) << "counts never go back";
}

TEST_F(ReplicaReportsTest, UnknownAddressesAreToldAndAskedForAgain) {
  SetHosts(Fail(ErrorCode::kUnavailable, "look up \"fairlead-extender\": unknown"));
  a_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return reports_->status().lookup_failures > 0; }));
  EXPECT_NE(reports_->status().last_error.find("fairlead-extender"), std::string::npos);
  EXPECT_FALSE(reports_->status().connected);
  SetHosts(std::vector<std::string>{a_.address});
  EXPECT_TRUE(WaitFor([&] { return InForce() == "1.7"; }));
}

TEST_F(ReplicaReportsTest, ALookUpThatFailsLaterChangesNothing) {
  a_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  b_.registry.to_send = {NoPlan(1)};
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.7" && BatchesOf(b_) > 0; }));
  SetHosts(Fail(ErrorCode::kUnavailable, "no answer"));
  b_.Die();
  ASSERT_TRUE(WaitFor([&] { return reports_->status().lookup_failures > 0; }));
  EXPECT_EQ(reports_->status().replicas, 2U);
  EXPECT_TRUE(reports_->status().connected);
}

TEST_F(ReplicaReportsTest, EightReplicasAreReportedToAtMost) {
  std::vector<std::string> many{b_.address};
  for (int i = 0; i < 20; ++i) many.push_back("127.0.1." + std::to_string(i + 1) + ":1");
  SetHosts(many);
  b_.registry.to_send = {MakePlan(1, 7, "sg-1")};
  Start();
  ASSERT_TRUE(WaitFor([&] { return reports_->status().replicas > 0; }));
  EXPECT_EQ(reports_->status().replicas, 8U);
  EXPECT_TRUE(WaitFor([&] { return InForce() == "1.7"; })) << "the first by address are taken";
}

TEST_F(ReplicaReportsTest, LinesOfAPlanComeWithItAndImpossibleOnesAreCounted) {
  SetHosts(std::vector<std::string>{a_.address});
  v1::ProbePlan with_lines = MakePlan(1, 8, "sg-1");
  v1::SiteLine& line = *with_lines.add_lines();
  line.set_peer_site("sg");
  line.set_rtt_ns(36'000'000);
  line.set_age_ns(4'000'000'000);
  with_lines.add_lines()->set_peer_site("tyo");  // without an RTT
  a_.registry.to_send = {MakePlan(1, 7, "sg-1"), with_lines};
  const MonotonicTime before = clock_.Now();
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "1.8"; }));
  const auto plan = plan_.Get();
  ASSERT_EQ(plan->lines.size(), 1U);
  EXPECT_EQ(plan->lines[0].peer_site, "sg");
  EXPECT_GE(plan->lines[0].at, before - Seconds(4));
  EXPECT_LE(plan->lines[0].at, clock_.Now() - Seconds(4));
  EXPECT_EQ(reports_->status().plan_lines_refused, 1U);
  EXPECT_EQ(reports_->status().plans_refused, 0U);
}

TEST_F(ReplicaReportsTest, AnExtenderThatKnowsNoTermsIsObeyed) {
  SetHosts(std::vector<std::string>{a_.address});
  v1::ProbePlan old = MakePlan(0, 5, "sg-1");
  old.clear_term();
  v1::ProbePlan broken = old;
  broken.set_revision(0);
  a_.registry.to_send = {broken, old};
  Start();
  ASSERT_TRUE(WaitFor([&] { return InForce() == "0.5"; }));
  EXPECT_EQ(reports_->status().plans_refused, 1U);
}

TEST(ReplicaAddressesTest, AreThoseOfTheHostEachWithThePort) {
  EXPECT_EQ(*ReplicaAddresses("127.0.0.2:7470"), std::vector<std::string>{"127.0.0.2:7470"});
  EXPECT_EQ(*ReplicaAddresses("[::1]:7470"), std::vector<std::string>{"[::1]:7470"});
  const auto local = ReplicaAddresses("localhost:7470");
  ASSERT_TRUE(local);
  for (const std::string& address : *local) {
    EXPECT_TRUE(address == "127.0.0.1:7470" || address == "[::1]:7470") << address;
  }
  EXPECT_FALSE(ReplicaAddresses("no port"));
}

}  // namespace
}  // namespace fairlead::linkprobe
