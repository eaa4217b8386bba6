#include "extender/registry/report_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fairlead/v1/registry.pb.h"

namespace fairlead::extender {
namespace {

class ReportCodec : public testing::Test {
 protected:
  ReportCodec() {
    probe_.node = "n1";
    probe_.site = "hk";
    batch_.set_sequence(4);
    batch_.set_unix_time_ns(1'000);
  }

  // A path that is fine as it is.
  v1::LinkReport& AddPath() {
    v1::LinkReport& path = *batch_.add_links();
    path.set_peer_node("n2");
    path.set_peer_site("sg");
    path.set_rung(v1::TRANSPORT_RUNG_UDP_SW);
    path.set_state(v1::LINK_STATE_HEALTHY);
    path.set_reason(v1::LINK_REASON_NONE);
    path.set_rtt_min_ns(36'000'000);
    path.mutable_forward()->set_sent(1000);
    path.mutable_forward()->set_lost(10);
    path.mutable_forward()->set_loss_upper(1);
    path.mutable_reverse()->set_loss_upper(1);
    return path;
  }

  DecodedBatch Decode() {
    return DecodeBatch(batch_, probe_, inventory_, lines_, MonotonicTime{} + Seconds(5));
  }

  const NodeNames inventory_{{{.name = "n1", .site = "hk"}, {.name = "n2", .site = "sg"}}};
  const LineCatalogue lines_{{{.name = "hk", .coordinates = Coordinates{22.3, 114.2}},
                              {.name = "sg", .coordinates = Coordinates{1.35, 103.8}}},
                             {}};
  ProbeIdentity probe_;
  v1::ReportBatch batch_;
};

TEST_F(ReportCodec, TakesTheTrafficOfTheNode) {
  EXPECT_FALSE(Decode().batch.traffic);
  v1::NodeTraffic& wire = *batch_.mutable_traffic();
  EXPECT_FALSE(Decode().batch.traffic) << "losses alone are no traffic";
  wire.set_transmit_bytes_per_second(5);
  EXPECT_FALSE(Decode().batch.traffic);
  wire.set_receive_bytes_per_second(0);
  wire.set_age_ns(9);
  const DecodedBatch decoded = Decode();
  ASSERT_TRUE(decoded.batch.traffic);
  EXPECT_EQ(decoded.batch.traffic->transmit_bytes_per_second, 5);
  EXPECT_EQ(decoded.batch.traffic->receive_bytes_per_second, 0);
  EXPECT_EQ(decoded.batch.traffic->age, Nanoseconds(9));
  EXPECT_TRUE(decoded.refused.empty());
}

TEST_F(ReportCodec, TakesTestsOfALineAndRefusesImpossibleOnesAlone) {
  v1::BandwidthReport& bandwidth = *AddPath().mutable_bandwidth();
  const auto add = [&](v1::BandwidthReport::Source source, std::uint64_t rate) {
    v1::CapacityTest& test = *bandwidth.add_tests();
    test.set_source(source);
    test.set_bytes_per_second(rate);
    test.set_age_ns(7);
    test.set_at_least(source == v1::BandwidthReport::SOURCE_SATURATION);
  };
  add(v1::BandwidthReport::SOURCE_TRAIN, 0);
  add(v1::BandwidthReport::SOURCE_PASSIVE, 5);
  add(v1::BandwidthReport::SOURCE_TRAIN, 125'000'000);
  add(v1::BandwidthReport::SOURCE_SATURATION, 90'000'000);
  add(v1::BandwidthReport::SOURCE_TRAIN, ~std::uint64_t{0});
  const DecodedBatch decoded = Decode();
  EXPECT_EQ(decoded.refused.size(), 2U);
  ASSERT_EQ(decoded.batch.paths.size(), 1U);
  const auto& tests = decoded.batch.paths[0].tests;
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].source, RateSource::kTrain);
  EXPECT_EQ(tests[0].bytes_per_second, 125e6);
  EXPECT_EQ(tests[0].age, Nanoseconds(7));
  EXPECT_FALSE(tests[0].at_least);
  EXPECT_EQ(tests[1].source, RateSource::kSaturation);
  EXPECT_TRUE(tests[1].at_least);
}

TEST_F(ReportCodec, TakesAnswersAndTheSpendingOnLinesOfTheOwnSite) {
  v1::BandwidthTests& wire = *batch_.mutable_tests();
  const auto answer = [&](std::uint64_t id, v1::LeaseOutcome::Result result) {
    v1::LeaseOutcome& outcome = *wire.add_outcomes();
    outcome.set_lease_id(id);
    outcome.set_result(result);
    outcome.set_why(std::string(9'000, 'w'));
  };
  answer(1, v1::LeaseOutcome::RESULT_QUOTA_USED);
  answer(2, v1::LeaseOutcome::RESULT_UNSPECIFIED);
  for (const char* line : {"hk-sg", "sg-tyo", "nonsense"}) {
    v1::LineSpending& spent = *wire.add_spent();
    spent.set_line(line);
    spent.set_day(20'000);
    spent.set_bytes(5);
  }
  const LeaseReport leases = Decode().leases;
  ASSERT_EQ(leases.answers.size(), 1U);
  EXPECT_EQ(leases.answers[0].lease_id, 1U);
  EXPECT_EQ(leases.answers[0].result, LeaseResult::kQuotaUsed);
  EXPECT_LE(leases.answers[0].why.size(), 512U);
  ASSERT_EQ(leases.spent.size(), 1U);
  EXPECT_EQ(leases.spent[0].line, "hk-sg");
  EXPECT_EQ(leases.spent[0].bytes, 5U);
}

TEST_F(ReportCodec, RefusesImpossibleTrafficAlone) {
  AddPath();
  v1::NodeTraffic& wire = *batch_.mutable_traffic();
  wire.set_transmit_bytes_per_second(~std::uint64_t{0});
  wire.set_receive_bytes_per_second(1);
  EXPECT_FALSE(Decode().batch.traffic);
  ASSERT_EQ(Decode().refused.size(), 1U);
  EXPECT_EQ(Decode().refused[0].reason, "implausible");
  EXPECT_EQ(Decode().batch.paths.size(), 1U);
  wire.set_transmit_bytes_per_second(1);
  wire.set_age_ns(~std::uint64_t{0});
  EXPECT_FALSE(Decode().batch.traffic);
}

v1::PortLoss& AddLoss(v1::ReportBatch& batch, std::uint32_t port) {
  v1::PortLoss& loss = *batch.mutable_traffic()->add_losses();
  loss.set_device("mlx5_0");
  loss.set_port(port);
  loss.set_receive(true);
  loss.set_lost(2);
  loss.set_sent(1'000'000);
  loss.set_loss_lower(0.9);  // not that of the counts
  loss.set_loss_upper(0.95);
  loss.set_source(v1::PortLoss::SOURCE_TRANSPORT);
  loss.set_disagree(true);
  return loss;
}

TEST_F(ReportCodec, TakesLossesOfPortsWithTheirAge) {
  AddLoss(batch_, 2);
  batch_.mutable_traffic()->set_age_ns(9);
  const DecodedBatch decoded = Decode();
  EXPECT_TRUE(decoded.refused.empty());
  ASSERT_EQ(decoded.batch.losses.size(), 1U);
  const PortLoss& loss = decoded.batch.losses[0];
  EXPECT_EQ(loss.device, "mlx5_0");
  EXPECT_EQ(loss.port, 2U);
  EXPECT_TRUE(loss.receive);
  EXPECT_TRUE(loss.transport);
  EXPECT_TRUE(loss.disagree);
  EXPECT_EQ(loss.age, Nanoseconds(9));
  EXPECT_DOUBLE_EQ(loss.interval.ratio, 2e-6);
  EXPECT_NEAR(loss.interval.lower, 5.48e-7, 1e-9) << "by the counts";
  EXPECT_EQ(loss.interval.upper, 0.95) << "what may have been lost besides";
}

TEST_F(ReportCodec, RefusesImpossibleLossesAlone) {
  struct Case {
    const char* what;
    void (*spoil)(v1::PortLoss&);
  };
  const Case cases[] = {
      {"no device", [](v1::PortLoss& l) { l.clear_device(); }},
      {"long device", [](v1::PortLoss& l) { l.set_device(std::string(65, 'x')); }},
      {"more lost than sent", [](v1::PortLoss& l) { l.set_lost(1'000'001); }},
      {"too many", [](v1::PortLoss& l) { l.set_sent(~std::uint64_t{0}); }},
      {"no number", [](v1::PortLoss& l) { l.set_loss_lower(std::nan("")); }},
      {"no ratio", [](v1::PortLoss& l) { l.set_loss_upper(1.1); }},
      {"in disorder", [](v1::PortLoss& l) { l.set_loss_upper(0.1); }},
      {"no source", [](v1::PortLoss& l) { l.clear_source(); }},
      {"told twice", [](v1::PortLoss& l) { l.set_port(2); }},
  };
  for (const Case& c : cases) {
    batch_.clear_traffic();
    AddLoss(batch_, 2);
    c.spoil(AddLoss(batch_, 1));
    const DecodedBatch decoded = Decode();
    EXPECT_EQ(decoded.batch.losses.size(), 1U) << c.what;
    ASSERT_EQ(decoded.refused.size(), 1U) << c.what;
    EXPECT_EQ(decoded.refused[0].reason, "implausible") << c.what;
  }
  batch_.clear_traffic();
  for (std::uint32_t port = 0; port < 70; ++port) AddLoss(batch_, port);
  EXPECT_EQ(Decode().batch.losses.size(), 64U);
  EXPECT_EQ(Decode().refused.size(), 1U);
  batch_.mutable_traffic()->set_age_ns(~std::uint64_t{0});
  EXPECT_TRUE(Decode().batch.losses.empty());
}

TEST_F(ReportCodec, KeepsEveryValue) {
  v1::LinkReport& wire = AddPath();
  wire.set_path(3);
  wire.set_rtt_p50_ns(36'200'000);
  wire.set_state(v1::LINK_STATE_DEGRADED);
  wire.set_reason(v1::LINK_REASON_LOSS_FORWARD);
  wire.mutable_forward()->set_jitter_ns(7);
  wire.mutable_forward()->set_hops(9);
  wire.set_evidence("why");
  wire.set_age_ns(11);
  const DecodedBatch decoded = Decode();
  EXPECT_EQ(decoded.batch.node, "n1");
  EXPECT_EQ(decoded.batch.site, "hk");
  EXPECT_EQ(decoded.batch.sequence, 4U);
  EXPECT_EQ(decoded.batch.received_at, MonotonicTime{} + Seconds(5));
  ASSERT_EQ(decoded.batch.paths.size(), 1U);
  const PathReport& path = decoded.batch.paths[0];
  EXPECT_EQ(path.path, 3U);
  EXPECT_EQ(path.measurement.rung, TransportRung::kUdpSw);
  EXPECT_EQ(path.state, LinkState::kDegraded);
  EXPECT_EQ(path.reason, LinkReason::kLossForward);
  EXPECT_EQ(path.measurement.rtt_p50, Nanoseconds(36'200'000));
  EXPECT_EQ(path.measurement.rtt_p99, std::nullopt);
  EXPECT_EQ(path.measurement.forward.jitter, Nanoseconds(7));
  EXPECT_EQ(path.measurement.forward.hops, 9U);
  EXPECT_EQ(path.measurement.forward.loss.lost, 10U);
  EXPECT_DOUBLE_EQ(path.measurement.forward.loss.ratio, 0.01);
  EXPECT_EQ(path.measurement.age, Nanoseconds(11));
  EXPECT_EQ(path.evidence, "why");
}

TEST_F(ReportCodec, NoAnswerEverHasNoAge) {
  AddPath();
  EXPECT_EQ(Decode().batch.paths.at(0).measurement.age, std::nullopt);
}

TEST_F(ReportCodec, ThePeersSiteIsTheInventorysWhateverTheProbeSays) {
  AddPath().set_peer_site("tyo");
  EXPECT_EQ(Decode().batch.paths.at(0).peer_site, "sg");
}

TEST_F(ReportCodec, EveryStateReasonAndRungOfTheWireIsKnown) {
  for (int state = 1; state <= v1::LinkState_MAX; ++state) {
    AddPath().set_state(static_cast<v1::LinkState>(state));
  }
  for (int reason = 1; reason <= v1::LinkReason_MAX; ++reason) {
    AddPath().set_reason(static_cast<v1::LinkReason>(reason));
  }
  for (int rung = 1; rung <= v1::TransportRung_MAX; ++rung) {
    AddPath().set_rung(static_cast<v1::TransportRung>(rung));
  }
  EXPECT_TRUE(Decode().refused.empty());
}

struct Bad {
  const char* name;
  void (*change)(v1::LinkReport&);
  const char* reason;
};

class BadPath : public ReportCodec, public testing::WithParamInterface<Bad> {};

TEST_P(BadPath, IsRefusedAloneAndTheOthersStay) {
  AddPath();
  GetParam().change(AddPath());
  AddPath();
  const DecodedBatch decoded = Decode();
  EXPECT_EQ(decoded.batch.paths.size(), 2U);
  ASSERT_EQ(decoded.refused.size(), 1U);
  EXPECT_EQ(decoded.refused[0].reason, GetParam().reason);
  EXPECT_NE(decoded.refused[0].error.message, "");
}

INSTANTIATE_TEST_SUITE_P(
    Paths, BadPath,
    testing::Values(
        Bad{"unknown_peer", [](v1::LinkReport& p) { p.set_peer_node("n9"); }, "unknown_peer"},
        Bad{"no_peer", [](v1::LinkReport& p) { p.clear_peer_node(); }, "unknown_peer"},
        Bad{"no_state", [](v1::LinkReport& p) { p.clear_state(); }, "unknown_word"},
        Bad{"future_state", [](v1::LinkReport& p) { p.set_state(static_cast<v1::LinkState>(99)); },
            "unknown_word"},
        Bad{"negative_rung",
            [](v1::LinkReport& p) { p.set_rung(static_cast<v1::TransportRung>(-1)); },
            "unknown_word"},
        Bad{"nan",
            [](v1::LinkReport& p) {
              p.mutable_forward()->set_loss_lower(std::numeric_limits<double>::quiet_NaN());
            },
            "implausible"},
        Bad{"above_one", [](v1::LinkReport& p) { p.mutable_reverse()->set_loss_upper(1.5); },
            "implausible"},
        Bad{"faster_than_light", [](v1::LinkReport& p) { p.set_rtt_min_ns(20'000'000); },
            "below_floor"}),
    [](const auto& param) { return param.param.name; });

TEST_F(ReportCodec, EnormousTimesStayImpossibleInsteadOfWrappingRound) {
  AddPath().set_rtt_p99_ns(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(*Decode().batch.paths.at(0).measurement.rtt_p99, Seconds(3600));
}

TEST_F(ReportCodec, AnHcaCountsOnceItIsActiveAndHasAGid) {
  v1::Hello hello;
  EXPECT_FALSE(DecodeHello(hello).has_hca);
  hello.add_hcas()->set_active(true);
  EXPECT_FALSE(DecodeHello(hello).has_hca);
  hello.mutable_hcas(0)->set_gid("fe80::1");
  EXPECT_TRUE(DecodeHello(hello).has_hca);
  hello.mutable_hcas(0)->set_active(false);
  EXPECT_FALSE(DecodeHello(hello).has_hca);
}

}  // namespace
}  // namespace fairlead::extender
