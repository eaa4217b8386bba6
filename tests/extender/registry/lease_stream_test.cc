// Bandwidth leases as probes meet them: real gRPC on the loopback.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "extender/cluster/standalone.h"
#include "extender/registry/registry_server.h"
#include "fairlead/v1/registry.grpc.pb.h"
#include "tests/extender/registry/counted_reports.h"

namespace fairlead::extender {
namespace {

class NodeIsToken final : public TokenVerifier {
 public:
  Result<std::string> NodeOf(std::string_view token) override { return std::string(token); }
};

// Three sites; only hk-sg is declared and may be tested.
Setup ThreeNodes() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = std::nullopt},
                  {.name = "sg", .coordinates = std::nullopt},
                  {.name = "tyo", .coordinates = std::nullopt}};
  config.lines = {{.site_a = "hk", .site_b = "sg", .capacity_bits_per_second = 1'000'000'000}};
  config.nodes = {{.name = "a", .site = "hk", .hcas = 1},
                  {.name = "b", .site = "sg", .hcas = 1},
                  {.name = "c", .site = "tyo", .hcas = 1}};
  return MakeSetup(config, StandaloneView(config.nodes).names());
}

// A probe that finds its line well and hardly used.
class Probe {
 public:
  Probe(std::uint16_t port, const std::string& node, std::string peer)
      : peer_(std::move(peer)),
        stub_(v1::LinkRegistry::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                                            grpc::InsecureChannelCredentials()))) {
    context_.AddMetadata("authorization", "Bearer " + node);
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    stream_ = stub_->Connect(&context_);
    v1::ProbeMessage message;
    message.mutable_hello()->set_protocol_version(1);
    message.mutable_hello()->set_node(node);
    message.mutable_hello()->set_epoch(1);
    message.mutable_hello()->set_session_address("127.0.0.1:1");
    v1::Hca& hca = *message.mutable_hello()->add_hcas();
    hca.set_device("rxe0");
    hca.set_gid("::ffff:10.0.0.1");
    hca.set_active(true);
    stream_->Write(message);
  }
  ~Probe() { context_.TryCancel(); }

  bool Report(const v1::BandwidthTests& tests = {}, std::uint64_t train_rate = 0) {
    v1::ProbeMessage message;
    v1::ReportBatch& batch = *message.mutable_reports();
    batch.set_sequence(++sequence_);
    batch.set_unix_time_ns(
        static_cast<std::uint64_t>(SystemClock().WallNow().time_since_epoch().count()));
    v1::LinkReport& path = *batch.add_links();
    path.set_peer_node(peer_);
    path.set_rung(v1::TRANSPORT_RUNG_UDP_SW);
    path.set_state(v1::LINK_STATE_HEALTHY);
    path.set_reason(v1::LINK_REASON_NONE);
    path.set_rtt_p50_ns(36'000'000);
    path.set_age_ns(1'000'000'000);
    if (train_rate > 0) {
      v1::CapacityTest& test = *path.mutable_bandwidth()->add_tests();
      test.set_source(v1::BandwidthReport::SOURCE_TRAIN);
      test.set_bytes_per_second(train_rate);
    }
    batch.mutable_traffic()->set_transmit_bytes_per_second(1'000);
    batch.mutable_traffic()->set_receive_bytes_per_second(1'000);
    for (const v1::PortLoss& loss : losses) *batch.mutable_traffic()->add_losses() = loss;
    *batch.mutable_tests() = tests;
    return stream_->Write(message);
  }

  // The next plan that satisfies it; false where the stream ended.
  template <class Test>
  bool Await(v1::ProbePlan& plan, Test test) {
    while (stream_->Read(&plan)) {
      if (test(plan)) return true;
    }
    return false;
  }

  std::vector<v1::PortLoss> losses;  // that its reports tell from now on

 private:
  const std::string peer_;
  std::unique_ptr<v1::LinkRegistry::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ProbeMessage, v1::ProbePlan>> stream_;
  std::uint64_t sequence_ = 0;
};

v1::BandwidthTests Measured(std::uint64_t lease, std::uint64_t bytes) {
  v1::BandwidthTests tests;
  v1::LeaseOutcome& outcome = *tests.add_outcomes();
  outcome.set_lease_id(lease);
  outcome.set_result(v1::LeaseOutcome::RESULT_MEASURED);
  outcome.set_spent_bytes(bytes);
  v1::LineSpending& spent = *tests.add_spent();
  spent.set_line("hk-sg");
  spent.set_day(DayOf(SystemClock().WallNow()));
  spent.set_bytes(bytes);
  return tests;
}

class LeaseStream : public testing::Test {
 protected:
  // `judged`: how long no test is granted over a line after another one.
  explicit LeaseStream(Nanoseconds judged = LeaseTimes{}.judged) : judged_(judged) {
    auto server = RegistryServer::Start({.host = "127.0.0.1", .port = 0}, TlsConfig{}, setup_,
                                        clock_, tokens_, counts_, loop_);
    EXPECT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  const Nanoseconds judged_;
  const SystemClock clock_;
  NodeIsToken tokens_;
  CountedReports counts_;
  Snapshot<extender::Setup> setup_{ThreeNodes()};
  Snapshot<LinkSnapshot> links_;
  Snapshot<RegistryStatus> status_;
  std::atomic<bool> gang_ = false;
  RegistryLoop loop_{
      setup_,
      clock_,
      counts_,
      links_,
      status_,
      nullptr,
      nullptr,
      [this] {
        GangLines lines{.known = true};
        if (gang_) lines.crossed.insert({"hk", "sg"});
        return lines;
      },
      LeaseTimes{.take_over = Nanoseconds(0), .use_lag = Nanoseconds(0), .judged = judged_}};
  std::unique_ptr<RegistryServer> server_;
};

// Whether the plan says that the line to the peer is being tested; absent without that peer.
std::optional<bool> Tested(const v1::ProbePlan& plan, const std::string& peer) {
  for (const v1::PeerAssignment& each : plan.peers()) {
    if (each.node() == peer) return each.line_tested();
  }
  return std::nullopt;
}

const auto kHasLease = [](const v1::ProbePlan& plan) { return plan.has_lease(); };
const auto kHasNone = [](const v1::ProbePlan& plan) { return !plan.has_lease(); };

// After a test the next may come at once.
class TwoProbes : public LeaseStream {
 protected:
  TwoProbes() : LeaseStream(Nanoseconds(0)) {}
  void BothReport() {
    ASSERT_TRUE(a_.Report());
    ASSERT_TRUE(b_.Report());
  }
  // Both report, and a is granted a lease.
  void LeaseComes(v1::ProbePlan& plan) {
    BothReport();
    ASSERT_TRUE(a_.Await(plan, kHasLease));
  }
  // A look at the links satisfies it within a minute.
  template <class Test>
  bool Shows(Test test) const {
    const MonotonicTime limit = clock_.Now() + Seconds(60);
    while (!test(*links_.Get())) {
      if (clock_.Now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }

  Probe a_{server_->port(), "a", "b"};
  Probe b_{server_->port(), "b", "a"};
};

TEST_F(TwoProbes, ALeaseComesWithThePlanAndItsAnswerLetsTheOtherDirectionFollow) {
  v1::ProbePlan plan;
  LeaseComes(plan);
  const v1::BandwidthLease lease = plan.lease();
  EXPECT_EQ(plan.peers_size(), 1) << "the rest of the plan is as before";
  EXPECT_EQ(lease.peer_node(), "b");
  EXPECT_EQ(lease.line(), "hk-sg");
  EXPECT_EQ(lease.kind(), v1::BandwidthLease::KIND_TRAIN);
  EXPECT_EQ(lease.most_bytes(), 30'000'000U);
  EXPECT_EQ(lease.duration_ns(), 60'000'000'000U);

  ASSERT_TRUE(a_.Report(Measured(lease.id(), 12'000'000), 90'000'000));
  ASSERT_TRUE(b_.Await(plan, kHasLease));
  EXPECT_NE(plan.lease().id(), lease.id());
  EXPECT_EQ(plan.lease().peer_node(), "a");
  EXPECT_EQ(plan.lease().most_bytes_per_day(), 20'000'000'000U - 12'000'000U)
      << "less what the other end has spent";
  const auto link = links_.Get();
  EXPECT_EQ(link->Find("hk", "sg")->rate->bytes_per_second, 90e6);
  EXPECT_EQ(link->Find("hk", "sg")->rate->source, RateSource::kTrain);
  EXPECT_EQ((status_.Get()->leases.ended.at({LeaseKind::kTrain, LeaseResult::kMeasured})), 1U);
}

class OfEachKind : public LeaseStream, public testing::WithParamInterface<LeaseKind> {};

INSTANTIATE_TEST_SUITE_P(Leases, OfEachKind, testing::ValuesIn(kAllLeaseKinds),
                         [](const auto& each) { return std::string(LeaseKindName(each.param)); });

TEST_P(OfEachKind, ATestIsToldToAllProbesOfItsLineAndToNoOthers) {
  const bool trains = GetParam() == LeaseKind::kTrain;
  extender::Setup setup = ThreeNodes();
  setup.bandwidth.trains = trains;
  setup.bandwidth.saturation = !trains;
  setup_.Publish(setup);
  Probe a(server_->port(), "a", "b");
  Probe b(server_->port(), "b", "a");
  Probe c(server_->port(), "c", "a");
  v1::ProbePlan of_c;
  ASSERT_TRUE(c.Await(of_c, [](const v1::ProbePlan& plan) { return plan.peers_size() == 2; }));
  ASSERT_TRUE(a.Report());
  ASSERT_TRUE(b.Report());
  v1::ProbePlan of_a;
  v1::ProbePlan of_b;
  ASSERT_TRUE(a.Await(of_a, kHasLease));
  EXPECT_EQ(of_a.lease().kind(),
            trains ? v1::BandwidthLease::KIND_TRAIN : v1::BandwidthLease::KIND_SATURATION);
  EXPECT_EQ(Tested(of_a, "b"), true);
  EXPECT_EQ(Tested(of_a, "c"), false);
  ASSERT_TRUE(b.Await(of_b, [](const auto& plan) { return Tested(plan, "a") == true; }));
  EXPECT_FALSE(of_b.has_lease());
  EXPECT_EQ(Tested(of_b, "c"), false);

  ASSERT_TRUE(a.Report(Measured(of_a.lease().id(), 12'000'000)));
  ASSERT_TRUE(b.Await(of_b, [](const auto& plan) { return Tested(plan, "a") == false; }));
  ASSERT_TRUE(a.Await(of_a, [](const auto& plan) { return Tested(plan, "b") == false; }));
  EXPECT_FALSE(of_a.has_lease());

  // The next plan of c is that of its new peers, so that none was sent it for the test.
  const std::uint64_t revision = of_c.revision();
  setup.lines = LineCatalogue({{.name = "hk", .coordinates = Coordinates{22.3, 114.2}},
                               {.name = "sg", .coordinates = Coordinates{1.35, 103.8}},
                               {.name = "tyo", .coordinates = Coordinates{35.7, 139.7}}},
                              {});
  setup_.Publish(setup);
  ASSERT_TRUE(c.Await(of_c, [&](const auto& plan) { return plan.revision() != revision; }));
  EXPECT_GT(of_c.peers(0).floor_rtt_ns(), 0U);
}

// Judgement goes on once the probe has said that its test is over.
TEST_F(TwoProbes, AGangOnTheLineTakesTheLeaseBackAndThenTheLineIsTestedNoMore) {
  v1::ProbePlan plan;
  LeaseComes(plan);
  const std::uint64_t lease = plan.lease().id();
  gang_ = true;
  ASSERT_TRUE(a_.Await(plan, kHasNone));
  EXPECT_EQ(plan.peers_size(), 1);
  EXPECT_EQ(Tested(plan, "b"), true) << "the test may still run";
  ASSERT_TRUE(a_.Report(Measured(lease, 1'000'000)));
  EXPECT_TRUE(a_.Await(plan, [](const auto& next) { return Tested(next, "b") == false; }));
  EXPECT_TRUE(b_.Await(plan, [](const auto& next) { return Tested(next, "a") == false; }));
}

v1::PortLoss LossOfPort(bool receive, std::uint64_t lost) {
  v1::PortLoss loss;
  loss.set_device("mlx5_0");
  loss.set_port(1);
  loss.set_receive(receive);
  loss.set_lost(lost);
  loss.set_sent(1'000'000);
  loss.set_loss_upper(1);
  loss.set_source(v1::PortLoss::SOURCE_TRANSPORT);
  return loss;
}

TEST_F(TwoProbes, LossOfPortsCountsOnceAGangCrossesTheLineAndABadOneIsCountedAlone) {
  extender::Setup setup = ThreeNodes();
  setup.bandwidth.trains = false;  // beside a test it would not count
  setup_.Publish(setup);
  v1::PortLoss nameless = LossOfPort(true, 1);
  nameless.clear_device();
  a_.losses = {LossOfPort(false, 40), nameless};
  b_.losses = {LossOfPort(true, 30)};
  BothReport();
  ASSERT_TRUE(counts_.Reaches("implausible", 1));
  ASSERT_TRUE(Shows([](const LinkSnapshot& links) {
    const LinkView* link = links.Find("hk", "sg");
    return link != nullptr && link->port_loss;
  }));
  const auto idle = links_.Get();
  EXPECT_EQ(idle->Find("hk", "sg")->port_loss->interval.lost, 30U);
  EXPECT_FALSE(idle->Find("hk", "sg")->port_loss->counts) << "no gang crosses the line";
  EXPECT_EQ(idle->Find("hk", "sg")->lossy_ports.size(), 2U);
  gang_ = true;
  EXPECT_TRUE(Shows([](const LinkSnapshot& links) {
    const LinkView* link = links.Find("hk", "sg");
    return link != nullptr && link->port_loss && link->port_loss->counts;
  }));
}

TEST_F(TwoProbes, LinesOfTheSiteComeWithThePlanOfEveryNodeOnceTheyAreMeasured) {
  v1::ProbePlan plan;
  ASSERT_TRUE(b_.Await(plan, [](const v1::ProbePlan& one) { return one.peers_size() == 1; }));
  EXPECT_EQ(plan.lines_size(), 0);
  const std::uint64_t before = plan.revision();
  ASSERT_TRUE(a_.Report());
  ASSERT_TRUE(b_.Await(plan, [](const v1::ProbePlan& one) { return one.lines_size() > 0; }));
  EXPECT_GT(plan.revision(), before);
  EXPECT_EQ(plan.peers_size(), 1) << "the rest of the plan is as before";
  EXPECT_EQ(plan.lines(0).peer_site(), "hk");
  EXPECT_EQ(plan.lines(0).rtt_ns(), 36'000'000U);
  EXPECT_GE(plan.lines(0).age_ns(), 1'000'000'000U) << "as old as it was, and older since";
  EXPECT_EQ(plan.lines(0).capacity_bits_per_second(), 1'000'000'000U);
}

}  // namespace
}  // namespace fairlead::extender
