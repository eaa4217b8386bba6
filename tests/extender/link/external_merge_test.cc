// What others measured stands in for probes, never above them.
#include "extender/link/external_merge.h"

#include <gtest/gtest.h>

#include "extender/link/link_table.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Ms;

ExternalReading Reading(PrometheusValue value, double number, double at_seconds = 100,
                        LinkKey key = {"hk", "sg"}) {
  return {.key = std::move(key),
          .value = value,
          .number = number,
          .query = "router",
          .at = At(at_seconds)};
}

LinkView Unmeasured() {
  LinkView view;
  view.key = {"hk", "sg"};
  return view;
}

LinkView Merged(LinkView view, std::vector<ExternalReading> readings, double now = 110) {
  MergeExternal({.readings = std::move(readings), .stale_after = Seconds(90)}, At(now), view);
  return view;
}

TEST(ExternalMergeTest, FillsWhatNoProbeMeasures) {
  LinkView line = Unmeasured();
  line.capacity_bytes_per_second = 1e9;
  const LinkView view =
      Merged(line, {Reading(PrometheusValue::kRtt, 0.036), Reading(PrometheusValue::kLoss, 0.002),
                    Reading(PrometheusValue::kUtilisation, 0.25)});
  EXPECT_EQ(view.rtt_p50, Ms(36));
  EXPECT_FALSE(view.rtt_min);
  EXPECT_EQ(view.rung, TransportRung::kPromql);
  EXPECT_EQ(view.age, Nanoseconds(Seconds(10)));
  EXPECT_EQ(view.forward.loss.ratio, 0.002);
  EXPECT_EQ(view.forward.loss.lower, 0.002);
  EXPECT_TRUE(view.forward.loss.known());
  EXPECT_FALSE(view.reverse.loss.known());
  EXPECT_EQ(view.available_bytes_per_second, 0.75e9);
  EXPECT_EQ(view.state, LinkState::kUnknown);
  EXPECT_NE(view.evidence.find("\"router\""), std::string::npos);
  ASSERT_EQ(view.external.size(), 3U);
  for (const LinkExternal& external : view.external) EXPECT_TRUE(external.used);
}

TEST(ExternalMergeTest, NeverAboveAProbe) {
  LinkView measured = sample::View("hk", "sg", 36, 37);
  measured.available_bytes_per_second = 5e8;
  measured.capacity_bytes_per_second = 1e9;
  for (const TransportRung rung :
       {TransportRung::kRdmaUdHw, TransportRung::kRdmaUdSw, TransportRung::kUdpHw,
        TransportRung::kUdpSw, TransportRung::kTcp}) {
    measured.rung = rung;
    const LinkView view =
        Merged(measured, {Reading(PrometheusValue::kRtt, 0.9), Reading(PrometheusValue::kLoss, 0.9),
                          Reading(PrometheusValue::kUtilisation, 0.99)});
    EXPECT_EQ(view.rtt_p50, measured.rtt_p50);
    EXPECT_EQ(view.rung, rung);
    EXPECT_EQ(view.age, measured.age);
    EXPECT_EQ(view.forward.loss.ratio, 0);
    EXPECT_EQ(view.available_bytes_per_second, 5e8);
    ASSERT_EQ(view.external.size(), 3U);
    for (const LinkExternal& external : view.external) EXPECT_FALSE(external.used);
  }
}

TEST(ExternalMergeTest, EveryValueOnItsOwn) {
  LinkView measured = sample::View("hk", "sg", 36, 37);
  measured.capacity_bytes_per_second = 1e9;
  const LinkView view = Merged(
      measured, {Reading(PrometheusValue::kUtilisation, 0.5), Reading(PrometheusValue::kRtt, 0.9)});
  EXPECT_EQ(view.available_bytes_per_second, 5e8);
  EXPECT_EQ(view.rung, TransportRung::kRdmaUdSw);
  EXPECT_EQ(view.rtt_p50, Ms(36));
}

TEST(ExternalMergeTest, AgesOutToNeutral) {
  const std::vector<ExternalReading> readings{Reading(PrometheusValue::kRtt, 0.036, 100)};
  EXPECT_TRUE(Merged(Unmeasured(), readings, 189.9).rtt_p50);
  const LinkView stale = Merged(Unmeasured(), readings, 190);
  EXPECT_FALSE(stale.rtt_p50);
  EXPECT_FALSE(stale.rung);
  EXPECT_FALSE(stale.age);
  EXPECT_TRUE(stale.evidence.empty());
  EXPECT_TRUE(stale.external.empty());
}

TEST(ExternalMergeTest, TheWayBackServesButForItsUtilisation) {
  const LinkKey back{"sg", "hk"};
  LinkView line = Unmeasured();
  line.capacity_bytes_per_second = 1e9;
  const LinkView view = Merged(line, {Reading(PrometheusValue::kRtt, 0.037, 100, back),
                                      Reading(PrometheusValue::kLoss, 0.01, 100, back),
                                      Reading(PrometheusValue::kUtilisation, 0.5, 100, back)});
  EXPECT_EQ(view.rtt_p50, Ms(37));
  EXPECT_FALSE(view.forward.loss.known());
  EXPECT_EQ(view.reverse.loss.ratio, 0.01);
  EXPECT_FALSE(view.available_bytes_per_second);
  const LinkView own = Merged(line, {Reading(PrometheusValue::kRtt, 0.037, 100, back),
                                     Reading(PrometheusValue::kRtt, 0.036)});
  EXPECT_EQ(own.rtt_p50, Ms(36));
  EXPECT_EQ(own.external.size(), 1U);
}

TEST(ExternalMergeTest, TheFirstQueryCounts) {
  const LinkView view = Merged(
      Unmeasured(), {Reading(PrometheusValue::kRtt, 0.036), Reading(PrometheusValue::kRtt, 0.9)});
  EXPECT_EQ(view.rtt_p50, Ms(36));
  ASSERT_EQ(view.external.size(), 2U);
  EXPECT_TRUE(view.external[0].used);
  EXPECT_FALSE(view.external[1].used);
}

TEST(ExternalMergeTest, FasterThanLightIsRefused) {
  LinkView line = Unmeasured();
  line.floor_rtt = Ms(25);
  const LinkView view = Merged(line, {Reading(PrometheusValue::kRtt, 0.024)});
  EXPECT_FALSE(view.rtt_p50);
  ASSERT_EQ(view.external.size(), 1U);
  EXPECT_FALSE(view.external[0].used);
}

TEST(ExternalMergeTest, OtherLinesAreNotTouched) {
  const LinkView view =
      Merged(Unmeasured(), {Reading(PrometheusValue::kRtt, 0.05, 100, {"hk", "tyo"})});
  EXPECT_FALSE(view.rtt_p50);
  EXPECT_TRUE(view.external.empty());
}

TEST(ExternalMergeTest, AFullLineHasNothingAvailableButNotLess) {
  LinkView line = Unmeasured();
  line.capacity_bytes_per_second = 1e9;
  EXPECT_EQ(Merged(line, {Reading(PrometheusValue::kUtilisation, 1.05)}).available_bytes_per_second,
            0);
}

// Through the table: probes win as long as they report, the reading steps in when they end, and
// nothing is known when it is stale, too.
TEST(ExternalMergeTest, StepsInWhenProbesEnd) {
  LinkTable table({.stale_after = Seconds(30)}, sample::Catalogue());
  PathReportBatch batch{.node = "n1",
                        .site = "hk",
                        .sequence = 1,
                        .sent_at = sample::WallAt(1000),
                        .received_at = At(100),
                        .paths = {sample::Path("n2", "sg", 36)}};
  ASSERT_TRUE(table.Ingest(batch));
  table.SetExternal(std::make_shared<const ExternalReadings>(ExternalReadings{
      .readings = {Reading(PrometheusValue::kRtt, 0.040, 110)}, .stale_after = Seconds(90)}));
  const auto p50 = [&](double now) {
    return table.TakeSnapshot(At(now), {}).Find("hk", "sg")->rtt_p50;
  };
  EXPECT_EQ(p50(120), Ms(36));
  EXPECT_EQ(p50(131), Ms(40));
  EXPECT_EQ(table.TakeSnapshot(At(132), {}).Find("hk", "sg")->rung, TransportRung::kPromql);
  EXPECT_EQ(p50(199), Ms(40));
  EXPECT_EQ(p50(201), std::nullopt);
}

}  // namespace
}  // namespace fairlead::extender
