#include "linkprobe/report/link_report.h"

#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkprobe/report/stream_failure.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(5000)};

TEST(LinkReportTest, CarriesWhatIsKnown) {
  PathStatus path{.peer_node = "sg-1", .peer_site = "sg", .path = 2};
  path.measurement.rung = TransportRung::kRdmaUdSw;
  path.measurement.samples = 600;
  path.measurement.window = Seconds(60);
  path.measurement.rtt_p50 = Milliseconds(36);
  path.measurement.forward.loss = {
      .lost = 3, .sent = 600, .ratio = 0.005, .lower = 0.0017, .upper = 0.0146};
  path.measurement.reverse.hops = 2;
  path.verdict.verdict = {.state = LinkState::kDegraded,
                          .reason = LinkReason::kLossForward,
                          .since = kNow - Seconds(9)};
  path.verdict.evidence = "3 of 600 lost forward";
  path.last_reply = kNow - Milliseconds(80);
  v1::LinkReport report;
  FillLinkReport(path, 104, kNow, report);
  EXPECT_EQ(report.peer_node(), "sg-1");
  EXPECT_EQ(report.path(), 2U);
  EXPECT_EQ(report.traffic_class(), 104U);
  EXPECT_EQ(report.rung(), v1::TRANSPORT_RUNG_RDMA_UD_SW);
  EXPECT_EQ(report.rtt_p50_ns(), 36'000'000U);
  EXPECT_FALSE(report.has_rtt_min_ns()) << "what is not known is absent, not zero";
  EXPECT_FALSE(report.forward().has_hops());
  EXPECT_EQ(report.reverse().hops(), 2U);
  EXPECT_EQ(report.forward().lost(), 3U);
  EXPECT_DOUBLE_EQ(report.forward().loss_upper(), 0.0146);
  EXPECT_EQ(report.state(), v1::LINK_STATE_DEGRADED);
  EXPECT_EQ(report.reason(), v1::LINK_REASON_LOSS_FORWARD);
  EXPECT_EQ(report.state_age_ns(), 9'000'000'000U);
  EXPECT_EQ(report.age_ns(), 80'000'000U);
}

TEST(LinkReportTest, SaysWhatDiffersBetweenTheEndsBehindTheVerdict) {
  PathStatus path{.peer_node = "sg-1", .peer_site = "sg"};
  path.differences = {{EndTrait::kPathMtu, "4096", "1024"},
                      {EndTrait::kTrafficClassForward, "106", "0"}};
  v1::LinkReport report;
  FillLinkReport(path, 104, kNow, report);
  const std::string sentences =
      "The path MTU is 4096 here and 1024 at sg-1. The traffic class of packets to sg-1 is 106 "
      "when sent and 0 when they arrive.";
  EXPECT_EQ(report.evidence(), sentences);
  path.verdict.evidence = "3 of 600 lost forward";
  FillLinkReport(path, 104, kNow, report);
  EXPECT_EQ(report.evidence(), "3 of 600 lost forward. " + sentences);
  path.differences.clear();
  FillLinkReport(path, 104, kNow, report);
  EXPECT_EQ(report.evidence(), "3 of 600 lost forward");
}

constexpr MonotonicTime kArrived{Seconds(5000)};

v1::ProbePlan GoodPlan() {
  v1::ProbePlan plan;
  plan.set_term(2);
  plan.set_revision(5);
  v1::PeerAssignment& peer = *plan.add_peers();
  peer.set_node("sg-1");
  peer.set_session_address("10.0.0.2:7471");
  peer.set_probe(true);
  peer.set_key(std::string(32, 'k'));
  peer.set_key_id(8);
  peer.set_floor_rtt_ns(25'300'000);
  peer.set_line_tested(true);
  return plan;
}

TEST(ReadPlanTest, ReadsAGoodOne) {
  const auto plan = ReadPlan(GoodPlan(), kArrived);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->peers.size(), 1U);
  EXPECT_EQ(plan->peers.front().floor_rtt, Nanoseconds(25'300'000));
  EXPECT_EQ(plan->peers.front().key.size(), 32U);
  EXPECT_TRUE(plan->peers.front().probe);
  EXPECT_TRUE(plan->peers.front().line_tested);
}

TEST(ReadPlanTest, RefusesABadOneAsAWhole) {
  struct Case {
    const char* what;
    void (*spoil)(v1::ProbePlan&);
  };
  const Case cases[] = {
      {"no revision", [](v1::ProbePlan& p) { p.set_revision(0); }},
      {"no node", [](v1::ProbePlan& p) { p.mutable_peers(0)->clear_node(); }},
      {"no address", [](v1::ProbePlan& p) { p.mutable_peers(0)->clear_session_address(); }},
      {"short key", [](v1::ProbePlan& p) { p.mutable_peers(0)->set_key("short"); }},
      {"doubled", [](v1::ProbePlan& p) { *p.add_peers() = p.peers(0); }},
  };
  for (const Case& c : cases) {
    v1::ProbePlan plan = GoodPlan();
    c.spoil(plan);
    EXPECT_FALSE(ReadPlan(plan, kArrived)) << c.what;
  }
  v1::ProbePlan absurd = GoodPlan();
  absurd.mutable_peers(0)->set_floor_rtt_ns(UINT64_MAX);
  EXPECT_EQ(ReadPlan(absurd, kArrived)->peers.front().floor_rtt, Nanoseconds(Seconds(10)));
}

v1::SiteLine Line(const std::string& peer_site) {
  v1::SiteLine line;
  line.set_peer_site(peer_site);
  line.set_rtt_ns(36'000'000);
  line.set_age_ns(7'000'000'000);
  line.set_loss_lower(0.01);
  line.set_loss_upper(0.02);
  line.set_capacity_bits_per_second(8);
  return line;
}

TEST(ReadPlanTest, ReadsLinesWithTheMomentTheyAreOf) {
  v1::ProbePlan wire = GoodPlan();
  wire.set_site("hk");
  *wire.add_lines() = Line("sg");
  v1::SiteLine& bare = *wire.add_lines();
  bare.set_peer_site("tyo");
  bare.set_rtt_ns(1);
  bare.set_age_ns(UINT64_MAX);
  const auto plan = ReadPlan(wire, kArrived);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->lines_refused, 0U);
  ASSERT_EQ(plan->lines.size(), 2U);
  EXPECT_EQ(plan->lines[0].peer_site, "sg");
  EXPECT_EQ(plan->lines[0].rtt, Milliseconds(36));
  EXPECT_EQ(plan->lines[0].at, kArrived - Seconds(7));
  EXPECT_EQ(plan->lines[0].loss->lower, 0.01);
  EXPECT_EQ(plan->lines[0].loss->upper, 0.02);
  EXPECT_EQ(plan->lines[0].capacity_bits_per_second, 8U);
  EXPECT_FALSE(plan->lines[1].loss);
  EXPECT_FALSE(plan->lines[1].capacity_bits_per_second);
  EXPECT_EQ(plan->lines[1].at, kArrived - Seconds(86'400)) << "absurdly old is old";
}

TEST(ReadPlanTest, LeavesOutImpossibleLinesAlone) {
  struct Case {
    const char* what;
    void (*spoil)(v1::SiteLine&);
  };
  const Case cases[] = {
      {"no site", [](v1::SiteLine& l) { l.clear_peer_site(); }},
      {"long site", [](v1::SiteLine& l) { l.set_peer_site(std::string(254, 'x')); }},
      {"own site", [](v1::SiteLine& l) { l.set_peer_site("hk"); }},
      {"told twice", [](v1::SiteLine& l) { l.set_peer_site("sg"); }},
      {"no RTT", [](v1::SiteLine& l) { l.set_rtt_ns(0); }},
      {"over an hour", [](v1::SiteLine& l) { l.set_rtt_ns(3'600'000'000'001); }},
      {"one bound", [](v1::SiteLine& l) { l.clear_loss_upper(); }},
      {"bounds in disorder", [](v1::SiteLine& l) { l.set_loss_lower(0.03); }},
      {"no number", [](v1::SiteLine& l) { l.set_loss_upper(std::nan("")); }},
      {"no capacity", [](v1::SiteLine& l) { l.set_capacity_bits_per_second(0); }},
  };
  for (const Case& c : cases) {
    v1::ProbePlan wire = GoodPlan();
    wire.set_site("hk");
    *wire.add_lines() = Line("sg");
    v1::SiteLine spoilt = Line("tyo");
    c.spoil(spoilt);
    *wire.add_lines() = spoilt;
    const auto plan = ReadPlan(wire, kArrived);
    ASSERT_TRUE(plan) << c.what;
    EXPECT_EQ(plan->lines.size(), 1U) << c.what;
    EXPECT_EQ(plan->lines_refused, 1U) << c.what;
  }
  v1::ProbePlan many = GoodPlan();
  for (int i = 0; i < 70; ++i) *many.add_lines() = Line(std::to_string(i));
  EXPECT_EQ(ReadPlan(many, kArrived)->lines.size(), 64U);
  EXPECT_EQ(ReadPlan(many, kArrived)->lines_refused, 6U);
}

TEST(StreamFailureTest, EachRefusalHasItsRemedy) {
  EXPECT_TRUE(DescribeStreamFailure(grpc::Status::OK));
  EXPECT_TRUE(DescribeStreamFailure({grpc::StatusCode::UNAVAILABLE, "the extender is stopping"}));
  const std::pair<grpc::StatusCode, const char*> cases[] = {
      {grpc::StatusCode::UNAUTHENTICATED, "tokenFile"},
      {grpc::StatusCode::PERMISSION_DENIED, "--node-name"},
      {grpc::StatusCode::NOT_FOUND, "sites"},
      {grpc::StatusCode::FAILED_PRECONDITION, "version"},
      {grpc::StatusCode::ALREADY_EXISTS, "another probe"},
      {grpc::StatusCode::UNAVAILABLE, "linkprobe.extender"},
      {grpc::StatusCode::UNKNOWN, "linkprobe.extender"},
  };
  for (const auto& [code, remedy] : cases) {
    const auto described = DescribeStreamFailure(grpc::Status(code, "said so"));
    ASSERT_FALSE(described);
    EXPECT_NE(described.error().message.find(remedy), std::string::npos)
        << described.error().message;
    EXPECT_NE(described.error().message.find("said so"), std::string::npos);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
