#include "deviceplugin/doctor_facts/line_reader.h"

#include <gmock/gmock.h>

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

Config ThreeSites() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = Coordinates{22.3, 114.2}},
                  {.name = "sg", .coordinates = Coordinates{1.35, 103.8}},
                  {.name = "tyo", .coordinates = std::nullopt}};
  config.lines = {{.site_a = "sg", .site_b = "hk", .capacity_bits_per_second = 100'000'000'000},
                  {.site_a = "sg", .site_b = "tyo", .capacity_bits_per_second = 40'000'000'000}};
  return config;
}

TEST(LineReaderTest, TheLinesOfTheSite) {
  const auto lines = LinesFrom(
      ThreeSites(), {.site = "hk", .rtts = {{"tyo", {Milliseconds(48), RttSource::kGiven}}}});
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->lines.size(), 2U);
  const LineFacts& sg = lines->lines[0];
  EXPECT_EQ(sg.peer, "sg");
  EXPECT_EQ(*sg.capacity_bits_per_second, 100'000'000'000U);
  EXPECT_EQ(sg.rtt_source, RttSource::kFloor);
  EXPECT_GT(*sg.rtt, Milliseconds(25));
  EXPECT_LT(*sg.rtt, Milliseconds(26));
  const LineFacts& tyo = lines->lines[1];
  EXPECT_EQ(tyo.peer, "tyo");
  EXPECT_FALSE(tyo.capacity_bits_per_second);
  EXPECT_FALSE(tyo.floor);
  EXPECT_EQ(*tyo.rtt, Milliseconds(48));
}

TEST(LineReaderTest, WhatLinkprobeTellsOfALine) {
  const KnownRtt heard{.rtt = Milliseconds(36),
                       .source = RttSource::kMeasured,
                       .age = Seconds(4),
                       .loss = {{0.0, 0.001}},
                       .capacity_bits_per_second = 7};
  const auto lines =
      LinesFrom(ThreeSites(), {.site = "hk", .rtts = {{"sg", heard}, {"tyo", heard}}});
  const LineFacts& sg = lines->lines[0];
  EXPECT_EQ(sg.rtt_age, Seconds(4));
  EXPECT_EQ(sg.loss, heard.loss);
  EXPECT_EQ(*sg.capacity_bits_per_second, 100'000'000'000U) << "the configuration's own";
  EXPECT_EQ(*lines->lines[1].capacity_bits_per_second, 7U);
}

TEST(LineReaderTest, WithoutASiteNothingIsKnown) {
  EXPECT_THAT(LinesFrom(ThreeSites(), {}).why_not(), HasSubstr("--site"));
}

TEST(LineReaderTest, Rtts) {
  const std::map<std::string, Nanoseconds> two{{"sg", Milliseconds(36)}, {"us", Milliseconds(150)}};
  EXPECT_EQ(ParseRtts("sg=36ms,us=150ms").value(), two);
  EXPECT_TRUE(ParseRtts("").value().empty());
  for (const char* bad : {"sg", "=36ms", "sg=", "sg=36", "sg=0ms", "sg=-1ms", "sg=36ms,,"}) {
    EXPECT_FALSE(ParseRtts(bad)) << bad;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
