#include "linkprobe/counters/meaning.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

TEST(CounterMeaningTest, DataOfAPortIsInWordsOfFourBytes) {
  for (const auto& [name, metric] : {std::pair{"port_xmit_data", "hca_transmit_bytes_total"},
                                     std::pair{"port_rcv_data", "hca_receive_bytes_total"}}) {
    const auto meaning = MeaningOf(CounterSource::kPort, name);
    ASSERT_TRUE(meaning) << name;
    EXPECT_EQ(meaning->metric, metric);
    EXPECT_DOUBLE_EQ(meaning->factor, 4);
    EXPECT_EQ(meaning->sticks_at, 0xffffffffU);
  }
}

TEST(CounterMeaningTest, DataOfDriversAndInterfacesIsInBytes) {
  EXPECT_DOUBLE_EQ(MeaningOf(CounterSource::kNetdev, "tx_bytes")->factor, 1);
  EXPECT_EQ(MeaningOf(CounterSource::kNetdev, "tx_bytes")->metric, "hca_transmit_bytes_total");
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "rx_bytes")->metric, "hca_receive_bytes_total");
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "sent_pkts")->metric, "hca_transmit_packets_total");
  EXPECT_EQ(MeaningOf(CounterSource::kOptional, "rdma_tx_bytes")->metric,
            "hca_transmit_bytes_total");
}

TEST(CounterMeaningTest, AnUnknownNameKeepsIt) {
  const auto meaning = MeaningOf(CounterSource::kHardware, "brand.new-counter");
  ASSERT_TRUE(meaning);
  EXPECT_EQ(meaning->metric, "hca_brand_new_counter_total");
  EXPECT_DOUBLE_EQ(meaning->factor, 1);
  EXPECT_EQ(meaning->bits, 64U) << "not known to be narrow, so never taken to have wrapped";
}

TEST(CounterMeaningTest, FirmwareCountersAreThirtyTwoBitsWide) {
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "out_of_sequence")->bits, 32U);
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "roce_adp_retrans")->bits, 32U);
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "np_cnp_sent")->bits, 64U);
  EXPECT_EQ(MeaningOf(CounterSource::kPort, "symbol_error")->sticks_at, 65535U);
}

TEST(CounterMeaningTest, WhatExistsNowIsAGaugeAndTheLifespanNothing) {
  EXPECT_TRUE(MeaningOf(CounterSource::kHardware, "active_qps")->gauge);
  EXPECT_EQ(MeaningOf(CounterSource::kHardware, "active_qps")->metric, "hca_active_qps");
  EXPECT_FALSE(MeaningOf(CounterSource::kHardware, "lifespan"));
}

struct Pause {
  const char* name;
  const char* metric;
  const char* direction;
  std::optional<std::uint32_t> priority;
};

TEST(CounterMeaningTest, PauseFramesOfEachDriver) {
  constexpr char kFrames[] = "hca_pause_frames_total";
  constexpr char kTime[] = "hca_pause_seconds_total";
  for (const Pause& pause : {Pause{"rx_prio3_pause", kFrames, "receive", 3},
                             Pause{"tx_prio0_pause", kFrames, "transmit", 0},
                             Pause{"rx_prio7_pause_duration", kTime, "receive", 7},
                             Pause{"tx_global_pause", kFrames, "transmit", {}},
                             Pause{"rx_pfc_ena_frames_pri5", kFrames, "receive", 5},
                             Pause{"pfc_pri2_tx_duration_us", kTime, "transmit", 2},
                             Pause{"tx_priority_4_xoff.nic", kFrames, "transmit", 4},
                             Pause{"port.link_xoff_rx", kFrames, "receive", {}}}) {
    const auto meaning = MeaningOf(CounterSource::kEthtool, pause.name);
    ASSERT_TRUE(meaning) << pause.name;
    EXPECT_EQ(meaning->metric, pause.metric) << pause.name;
    EXPECT_EQ(meaning->direction, pause.direction) << pause.name;
    EXPECT_EQ(meaning->priority, pause.priority) << pause.name;
    EXPECT_DOUBLE_EQ(meaning->factor, meaning->metric == kTime ? 1e-6 : 1) << pause.name;
  }
}

TEST(CounterMeaningTest, OtherStatisticsOfAnInterfaceAreLeftOut) {
  for (const char* name : {"rx_packets", "rx_prio8_pause", "rx_prio_pause", "rx_prio3_pauses",
                           "tx_priority_4_xon.nic", "", "rx_prio3_bytes"}) {
    EXPECT_FALSE(MeaningOf(CounterSource::kEthtool, name)) << name;
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
