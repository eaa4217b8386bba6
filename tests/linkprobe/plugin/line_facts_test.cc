// What the plugin is told of the lines, from the paths that are probed.
#include "linkprobe/plugin/line_facts.h"

#include <gtest/gtest.h>

#include "common/link/loss_interval.h"
#include "fairlead/v1/node.pb.h"
#include "linkprobe/plugin/verdict_message.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(1000)};

PathStatus Path(const std::string& site, std::optional<Nanoseconds> rtt, std::uint64_t lost = 0) {
  PathStatus path;
  path.peer_node = site + "-1";
  path.peer_site = site;
  path.measurement.rtt_p50 = rtt;
  path.measurement.forward.loss = MakeLossInterval(lost, 1000);
  path.measurement.reverse.loss = MakeLossInterval(0, 1000);
  path.last_reply = kNow - Seconds(3);
  return path;
}

LinesOfSite Lines(std::vector<PathStatus> paths, const std::string& site = "hk",
                  std::vector<LineConfig> declared = {}) {
  auto engine = std::make_shared<EngineSnapshot>();
  engine->paths = std::move(paths);
  const std::vector<std::shared_ptr<const EngineSnapshot>> engines{engine};
  return LinesOf(engines, site, declared);
}

TEST(LineFacts, AreOfTheSlowestPathToEachOtherSite) {
  const LinesOfSite lines =
      Lines({Path("sg", Milliseconds(36)), Path("sg", Milliseconds(38), 100),
             Path("sg", Milliseconds(37)), Path("hk", Milliseconds(1)), Path("us", std::nullopt)},
            "hk", {{"sg", "hk", 100'000'000'000}, {"hk", "us", 1}, {"sg", "us", 2}});
  EXPECT_EQ(lines.site, "hk");
  ASSERT_EQ(lines.lines.size(), 1U);
  const LineFact& line = lines.lines[0];
  EXPECT_EQ(line.peer_site, "sg");
  EXPECT_EQ(line.rtt, Milliseconds(38));
  EXPECT_EQ(line.at, kNow - Seconds(3));
  EXPECT_EQ(line.capacity_bits_per_second, 100'000'000'000U);
  ASSERT_TRUE(line.loss);
  EXPECT_EQ(line.loss->lost, 100U);
}

TEST(LineFacts, AreNoneWhereTheOwnSiteIsNotKnown) {
  EXPECT_TRUE(Lines({Path("sg", Milliseconds(36))}, "").lines.empty());
}

TEST(LineFacts, WhatOthersMeasureFillsTheGapsAndAgesOn) {
  LinesOfSite lines = Lines({Path("sg", Milliseconds(36)), Path("us", std::nullopt)});
  const auto planned = [](const std::string& site, Nanoseconds age) {
    return PlannedLine{.peer_site = site,
                       .rtt = Milliseconds(90),
                       .at = kNow - age,
                       .loss = LossInterval{.lower = 0.25, .upper = 0.5},
                       .capacity_bits_per_second = 9};
  };
  const std::vector<PlannedLine> all{planned("us", Seconds(40)), planned("sg", Seconds(1)),
                                     planned("hk", Seconds(1)), planned("eu", Seconds(2))};
  AddPlannedLines(all, lines);
  v1::NicVerdicts read;
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({}, lines, kNow + Seconds(5))));
  ASSERT_EQ(read.lines_size(), 3);
  EXPECT_EQ(read.lines(0).peer_site(), "eu");
  EXPECT_EQ(read.lines(1).peer_site(), "sg");
  EXPECT_EQ(read.lines(1).rtt_ns(), 36'000'000U) << "its own measurement goes first";
  EXPECT_EQ(read.lines(1).age_ns(), 8'000'000'000U);
  EXPECT_EQ(read.lines(2).peer_site(), "us");
  EXPECT_EQ(read.lines(2).rtt_ns(), 90'000'000U);
  EXPECT_EQ(read.lines(2).age_ns(), 45'000'000'000U) << "before it came, and since";
  EXPECT_EQ(read.lines(2).loss_lower(), 0.25);
  EXPECT_EQ(read.lines(2).loss_upper(), 0.5);
  EXPECT_EQ(read.lines(2).capacity_bits_per_second(), 9U);

  LinesOfSite nowhere;
  AddPlannedLines(all, nowhere);
  EXPECT_TRUE(nowhere.lines.empty()) << "of which site is not known";
}

TEST(LineFacts, TravelWithinTheBoundsOfTheProtocol) {
  LinesOfSite lines = Lines({Path("sg", Milliseconds(36), 1)}, "hk", {{"hk", "sg", 7}});
  v1::NicVerdicts read;
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({}, lines, kNow)));
  EXPECT_EQ(read.site(), "hk");
  ASSERT_EQ(read.lines_size(), 1);
  EXPECT_EQ(read.lines(0).peer_site(), "sg");
  EXPECT_EQ(read.lines(0).rtt_ns(), 36'000'000U);
  EXPECT_EQ(read.lines(0).age_ns(), 3'000'000'000U);
  EXPECT_EQ(read.lines(0).capacity_bits_per_second(), 7U);
  EXPECT_GT(read.lines(0).loss_lower(), 0);
  EXPECT_GT(read.lines(0).loss_upper(), read.lines(0).loss_lower());

  const LineFact sg = lines.lines[0];
  lines.lines.assign(200, sg);
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    lines.lines[i].peer_site = std::to_string(i) + std::string(250, 'x');
  }
  const std::string bytes = EncodeVerdicts({}, lines, kNow);
  EXPECT_LE(bytes.size(), 16384U);
  ASSERT_TRUE(read.ParseFromString(bytes));
  EXPECT_GT(read.lines_size(), 40);
  EXPECT_LE(read.lines_size(), 64);

  lines.lines = {sg, sg, sg, sg};
  lines.lines[0].peer_site = "s\ng";
  lines.lines[1].peer_site = "";
  lines.lines[2].rtt = Seconds(3601);
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({}, lines, kNow)));
  EXPECT_EQ(read.lines_size(), 1);
}

}  // namespace
}  // namespace fairlead::linkprobe
