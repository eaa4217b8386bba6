#include "linkprobe/counters/traffic.h"

#include <gtest/gtest.h>

#include "linkprobe/counters/line_use.h"
#include "tests/linkprobe/counters/tracked.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(1000)};

TrackedPort Carrying(std::optional<std::uint64_t> words, const char* device = "mlx5_0") {
  return Tracked({PortCount("port_xmit_data", words), PortCount("port_rcv_data", words)}, device);
}

TEST(PortTrafficTest, WordsOfFourBytesBecomeBytes) {
  const PortTraffic traffic =
      TrafficOf(Tracked({PortCount("port_xmit_data", 250), PortCount("port_rcv_data", 1000)}));
  EXPECT_EQ(traffic.transmit_bytes_per_second, 1000);
  EXPECT_EQ(traffic.receive_bytes_per_second, 4000);
  EXPECT_EQ(traffic.source, CounterSource::kPort);
}

TEST(PortTrafficTest, TheBestSourceCounts) {
  std::vector<Count> counts{{CounterSource::kNetdev, "tx_bytes", 5},
                            {CounterSource::kNetdev, "rx_bytes", 6}};
  EXPECT_EQ(TrafficOf(Tracked(counts)).transmit_bytes_per_second, 5);
  counts.push_back(HardwareCount("tx_bytes", 7));
  EXPECT_EQ(TrafficOf(Tracked(counts)).transmit_bytes_per_second, 5) << "half a pair is none";
  counts.push_back(HardwareCount("rx_bytes", 8));
  EXPECT_EQ(TrafficOf(Tracked(counts)).receive_bytes_per_second, 8);
  counts.push_back(PortCount("port_xmit_data", 10));
  counts.push_back(PortCount("port_rcv_data", 20));
  EXPECT_EQ(TrafficOf(Tracked(counts)).receive_bytes_per_second, 80);
}

TEST(PortTrafficTest, WhatIsNotKnownIsAbsent) {
  EXPECT_FALSE(TrafficOf(Tracked({})).known());
  EXPECT_FALSE(TrafficOf(Carrying(std::nullopt)).known());
  TrackedPort first = Carrying(5);
  first.interval = Nanoseconds(0);
  EXPECT_FALSE(TrafficOf(first).known());
}

TEST(TrafficMeterTest, SumsAllPorts) {
  TrafficMeter meter;
  const std::vector ports{Carrying(100, "a"), Carrying(50, "b"), Tracked({}, "silent")};
  const auto sum = meter.Add(ports, kNow);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->transmit_bytes_per_second, 600);
  EXPECT_EQ(sum->ports, 2U);
  EXPECT_EQ(sum->at, kNow);
  EXPECT_FALSE(TrafficMeter().Add({}, kNow));
}

TEST(TrafficMeterTest, APortThatDoesNotTellOnceKeepsTheSumBefore) {
  TrafficMeter meter;
  meter.Add(std::vector{Carrying(100, "a"), Carrying(50, "b")}, kNow);
  const std::vector reset{Carrying(100, "a"), Carrying(std::nullopt, "b")};
  for (int i = 1; i < 6; ++i) {
    const auto kept = meter.Add(reset, kNow + i * Seconds(5));
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->transmit_bytes_per_second, 600);
    EXPECT_EQ(kept->at, kNow) << "it grows old";
  }
  const auto given_up = meter.Add(reset, kNow + TrafficMeter::kKept);
  EXPECT_EQ(given_up->transmit_bytes_per_second, 400);
  EXPECT_EQ(meter.Add(reset, kNow + Seconds(35))->at, kNow + Seconds(35));
}

TEST(TrafficMeterTest, APortThatIsGoneIsNotMissed) {
  TrafficMeter meter;
  meter.Add(std::vector{Carrying(100, "a"), Carrying(50, "b")}, kNow);
  EXPECT_EQ(meter.Add(std::vector{Carrying(100, "a")}, kNow)->transmit_bytes_per_second, 400);
  EXPECT_FALSE(meter.Add({}, kNow));
}

std::vector<LineConfig> Lines(std::optional<std::uint64_t> capacity) {
  return {{.site_a = "hk", .site_b = "sg", .capacity_bits_per_second = capacity},
          {.site_a = "sg", .site_b = "tyo", .capacity_bits_per_second = 8}};
}

TEST(LineUseTest, IsTheShareOfTheDeclaredRate) {
  const NodeTraffic traffic{.transmit_bytes_per_second = 50e6, .receive_bytes_per_second = 25e6};
  for (const char* site : {"hk", "sg"}) {
    const auto uses = UseOfLines(site, Lines(1'000'000'000), traffic);
    ASSERT_FALSE(uses.empty());
    EXPECT_EQ(uses[0].other_site, std::string(site) == "hk" ? "sg" : "hk");
    EXPECT_EQ(uses[0].declared_bytes_per_second, 125e6);
    EXPECT_EQ(uses[0].transmit_ratio, 0.4);
    EXPECT_EQ(uses[0].receive_ratio, 0.2);
    EXPECT_EQ(uses[0].doubt, DeclaredRateDoubt::kNone);
    EXPECT_EQ(uses[0].sentence, "");
  }
  EXPECT_TRUE(UseOfLines("", Lines(1), traffic).empty()) << "the own site is not known";
  EXPECT_TRUE(UseOfLines("us", Lines(1), traffic).empty());
}

TEST(LineUseTest, SaysWhatIsWrongWithADeclaration) {
  const NodeTraffic traffic{.transmit_bytes_per_second = 125e6};
  const auto absent = UseOfLines("hk", Lines(std::nullopt), traffic).at(0);
  EXPECT_EQ(absent.sentence,
            "line hk-sg has no declared capacity, so its use can't be told as a share; set "
            "`capacity` of it under `lines`");
  EXPECT_FALSE(absent.transmit_ratio);
  const auto zero = UseOfLines("hk", Lines(0), traffic).at(0);
  EXPECT_EQ(zero.doubt, DeclaredRateDoubt::kZero);
  EXPECT_FALSE(zero.transmit_ratio);
  const auto small = UseOfLines("hk", Lines(100'000'000), traffic).at(0);
  EXPECT_EQ(small.sentence,
            "this node alone carries 1 Gbps, and line hk-sg is declared as 100 Mbps: most of it "
            "stays in the site, or the declaration is wrong");
  EXPECT_EQ(UseOfLines("hk", Lines(101'000'000), traffic).at(0).doubt, DeclaredRateDoubt::kNone);
}

TEST(LineUseTest, WithoutTrafficThereIsNoShare) {
  const auto use = UseOfLines("hk", Lines(1'000'000'000), std::nullopt).at(0);
  EXPECT_FALSE(use.transmit_ratio);
  EXPECT_EQ(use.doubt, DeclaredRateDoubt::kNone);
}

}  // namespace
}  // namespace fairlead::linkprobe
