#include "linkprobe/cli/bandwidth_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

BandwidthReport Saturated(double bytes_per_second, SaturationEnd end = SaturationEnd::kLine) {
  BandwidthReport report{.peer = "10.0.0.2:7473",
                         .line = "hk-sg",
                         .found = {.frame_bytes_per_payload = 1.014},
                         .idle_rtt = Milliseconds(36),
                         .spent_bytes = 14'000'000,
                         .quota_bytes = 2'000'000'000};
  report.found.saturation =
      SaturationResult{.end = end,
                       .delivery = Delivery{.bytes_per_second = bytes_per_second,
                                            .lowest = bytes_per_second * 0.99,
                                            .highest = bytes_per_second * 1.01,
                                            .parts = 8,
                                            .in_flight_bytes = 480'000,
                                            .length = Seconds(1),
                                            .held = true},
                       .idle_rtt = Milliseconds(36),
                       .loaded_rtt = Milliseconds(40),
                       .evidence = "why"};
  return report;
}

TEST(BandwidthReportTest, SaysSourceSpreadBytesAndAdvice) {
  const std::string text = DescribeBandwidth(Saturated(12.3e6), false);
  EXPECT_THAT(text, HasSubstr("line hk-sg, by saturation"));
  EXPECT_THAT(text, HasSubstr("98.4 Mbps of payload, 99.78 Mbps on the wire"));
  EXPECT_THAT(text, HasSubstr("8 parts of 97.42 Mbps to 99.38 Mbps in 1 s with 0.48 MB in flight"));
  EXPECT_THAT(text, HasSubstr("line: why"));
  EXPECT_THAT(text, HasSubstr("idle 36 ms, loaded 40 ms"));
  EXPECT_THAT(text, HasSubstr("14 MB; a day has 2000 MB"));
  EXPECT_THAT(text, HasSubstr("4.096 us x 2^17"));
  const auto json = nlohmann::json::parse(DescribeBandwidth(Saturated(12.3e6), true));
  EXPECT_EQ(json["source"], "saturation");
  EXPECT_EQ(json["is_capacity"], true);
  EXPECT_NEAR(json["line_bits_per_second"].get<double>(), 99.8e6, 1e5);
  EXPECT_EQ(json["saturation"]["end"], "line");
  EXPECT_EQ(json["advice"]["ack_timeout"], 17);
}

TEST(BandwidthReportTest, ARateDeclaredWrongIsNamed) {
  BandwidthReport report = Saturated(12.3e6);
  report.declared_bits_per_second = 1'000'000'000;
  EXPECT_THAT(DescribeBandwidth(report, false), HasSubstr("declared rate is too high"));
  report.declared_bits_per_second = 10'000'000;
  EXPECT_THAT(DescribeBandwidth(report, false), HasSubstr("declared rate is too low"));
  report.declared_bits_per_second = 100'000'000;
  EXPECT_THAT(DescribeBandwidth(report, false), Not(HasSubstr("declared rate is too")));
  // What a full sender could not deliver says nothing against the line.
  report = Saturated(12.3e6, SaturationEnd::kSender);
  report.declared_bits_per_second = 1'000'000'000;
  EXPECT_THAT(DescribeBandwidth(report, false), Not(HasSubstr("declared rate is too")));
}

TEST(BandwidthReportTest, NothingMeasuredIsNotZero) {
  BandwidthReport report = Saturated(1);
  report.found.saturation->delivery.reset();
  report.found.saturation->end = SaturationEnd::kQuota;
  EXPECT_THAT(DescribeBandwidth(report, false), Not(HasSubstr("delivered")));
  const auto json = nlohmann::json::parse(DescribeBandwidth(report, true));
  EXPECT_TRUE(json["line_bits_per_second"].is_null());
  EXPECT_TRUE(json["advice"].is_null());
}

TEST(BandwidthReportTest, TrainsShowTheirSpread) {
  BandwidthReport report{.peer = "p", .line = "l", .idle_rtt = Milliseconds(36)};
  report.found.train = TrainResult{.estimate = {.bytes_per_second = 12.5e6,
                                                .lower_quartile = 12e6,
                                                .upper_quartile = 13e6,
                                                .trains = 10}};
  EXPECT_THAT(DescribeBandwidth(report, false),
              HasSubstr("capacity      100 Mbps on the wire; half of 10 trains between 96 Mbps and "
                        "104 Mbps"));
  report.found.train->sender_bound = true;
  EXPECT_THAT(DescribeBandwidth(report, false), HasSubstr("at least 100 Mbps"));
  EXPECT_EQ(nlohmann::json::parse(DescribeBandwidth(report, true))["is_capacity"], false);
}

TEST(ProgressLineTest, FitsOneLine) {
  const RampProgress progress{.phase = "ramp",
                              .in_flight_bytes = 1'200'000,
                              .bytes_per_second = 1e6,
                              .rtt = Milliseconds(41)};
  EXPECT_EQ(ProgressLine(progress, "p", 3'000'000, false),
            "p: ramp         1.2 MB in flight        8 Mbps  rtt 41 ms      sent 3 MB");
  EXPECT_EQ(nlohmann::json::parse(ProgressLine(progress, "p", 3, true))["phase"], "ramp");
}

}  // namespace
}  // namespace fairlead::linkprobe
