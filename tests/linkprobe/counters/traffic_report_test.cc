#include "linkprobe/report/traffic_report.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(5000)};

CounterState State() {
  CounterState state{.at = kNow - Seconds(2)};
  state.traffic = NodeTraffic{.transmit_bytes_per_second = 1000.4,
                              .receive_bytes_per_second = 20,
                              .ports = 2,
                              .at = kNow - Seconds(7),
                              .interval = Seconds(5)};
  PortOpinion& port = state.opinions.emplace_back();
  port.device = "mlx5_0";
  port.port = 1;
  return state;
}

TEST(TrafficReportTest, CarriesRatesWithTheirAge) {
  v1::ReportBatch batch;
  FillTraffic(State(), kNow, batch);
  ASSERT_TRUE(batch.has_traffic());
  EXPECT_EQ(batch.traffic().transmit_bytes_per_second(), 1000U);
  EXPECT_EQ(batch.traffic().receive_bytes_per_second(), 20U);
  EXPECT_EQ(batch.traffic().ports(), 2U);
  EXPECT_EQ(batch.traffic().interval_ns(), 5'000'000'000U);
  EXPECT_EQ(batch.traffic().age_ns(), 7'000'000'000U);
  EXPECT_EQ(batch.traffic().losses_size(), 0);
}

TEST(TrafficReportTest, CarriesLossWithItsSourceAndWhatIsSentAgain) {
  CounterState state = State();
  state.traffic.reset();
  PortOpinion& port = state.opinions[0];
  port.transmit.fused = FusedLoss{.interval = {.lost = 3, .sent = 1000, .lower = 0.1, .upper = 0.2},
                                  .source = LossSource::kTransport,
                                  .disagree = true};
  port.receive.fused = FusedLoss{.interval = {.sent = 10}, .source = LossSource::kProbes};
  port.retransmission = {.verdict = RetransmissionVerdict::kAdaptiveTimer,
                         .sentence = "resent",
                         .remedy = "switch it off"};
  v1::ReportBatch batch;
  FillTraffic(state, kNow, batch);
  ASSERT_EQ(batch.traffic().losses_size(), 2);
  EXPECT_FALSE(batch.traffic().has_transmit_bytes_per_second()) << "not known is not zero";
  EXPECT_EQ(batch.traffic().age_ns(), 2'000'000'000U) << "losses have an age without rates, too";
  const v1::PortLoss& sent = batch.traffic().losses(0);
  EXPECT_EQ(sent.device(), "mlx5_0");
  EXPECT_FALSE(sent.receive());
  EXPECT_EQ(sent.lost(), 3U);
  EXPECT_EQ(sent.source(), v1::PortLoss::SOURCE_TRANSPORT);
  EXPECT_TRUE(sent.disagree());
  EXPECT_DOUBLE_EQ(sent.loss_upper(), 0.2);
  EXPECT_EQ(sent.spurious_retransmission(), "resent; switch it off");
  EXPECT_TRUE(batch.traffic().losses(1).receive());
  EXPECT_EQ(batch.traffic().losses(1).source(), v1::PortLoss::SOURCE_PROBES);
  EXPECT_EQ(batch.traffic().losses(1).spurious_retransmission(), "");
}

TEST(TrafficReportTest, APathTellsWhatIsSentAgainOnItsPort) {
  CounterState state = State();
  state.opinions[0].retransmission = {.verdict = RetransmissionVerdict::kAdaptiveTimer,
                                      .sentence = "mlx5_0 resent 9 times",
                                      .remedy = "switch it off"};
  const NicPort nic{.device = state.opinions[0].device, .port = state.opinions[0].port};
  const auto evidence = [&](const NicPort& port, MonotonicTime now, Nanoseconds rtt) {
    v1::LinkReport link;
    link.set_evidence("p50 is 36 ms");
    link.set_rtt_p50_ns(static_cast<std::uint64_t>(rtt.count()));
    AddResending(state, port, now, link);
    return link.evidence();
  };
  EXPECT_EQ(evidence(nic, kNow, Milliseconds(36)),
            "p50 is 36 ms. Spurious retransmission: mlx5_0 resent 9 times.");
  EXPECT_EQ(evidence({.device = "mlx5_9", .port = 1}, kNow, Milliseconds(36)), "p50 is 36 ms");
  EXPECT_EQ(evidence(nic, kNow + Seconds(61), Milliseconds(36)), "p50 is 36 ms");
  EXPECT_EQ(evidence(nic, kNow, Milliseconds(1)), "p50 is 36 ms") << "inside the site";
}

TEST(TrafficReportTest, WhatIsOldOrUnknownIsNotTold) {
  v1::ReportBatch batch;
  FillTraffic(CounterState{}, kNow, batch);
  CounterState empty = State();
  empty.traffic.reset();
  FillTraffic(empty, kNow, batch);
  CounterState old = State();
  old.at = kNow - Seconds(61);
  FillTraffic(old, kNow, batch);
  EXPECT_FALSE(batch.has_traffic());
}

}  // namespace
}  // namespace fairlead::linkprobe
