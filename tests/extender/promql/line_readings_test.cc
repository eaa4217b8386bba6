// From samples to readings of lines, and how long these stay.
#include "extender/promql/line_readings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "extender/promql/reading_book.h"

namespace fairlead::extender {
namespace {

const std::set<std::string> kSites{"hk", "sg", "tyo"};
const MonotonicTime kAskedAt{Seconds(100)};

PrometheusQuery ByLabels(PrometheusValue value) {
  PrometheusQuery query;
  query.name = "q";
  query.value = value;
  query.from_label = "src";
  query.to_label = "dst";
  return query;
}

VectorSample Sample(const std::string& from, const std::string& to, double number) {
  return {.labels = {{"src", from}, {"dst", to}, {"job", "routers"}}, .number = number};
}

LineReadings Read(PrometheusValue value, std::vector<VectorSample> samples) {
  return ReadLines(ByLabels(value), {.samples = std::move(samples), .warnings = {}}, kSites,
                   kAskedAt);
}

TEST(LineReadingsTest, LabelsNameTheLine) {
  const LineReadings lines =
      Read(PrometheusValue::kRtt, {Sample("sg", "hk", 0.036), Sample("hk", "tyo", 0.05)});
  ASSERT_EQ(lines.readings.size(), 2U);
  EXPECT_EQ(lines.readings[0].key, (LinkKey{"hk", "tyo"}));
  EXPECT_EQ(lines.readings[1].key, (LinkKey{"sg", "hk"}));
  EXPECT_EQ(lines.readings[1].number, 0.036);
  EXPECT_EQ(lines.readings[1].query, "q");
  EXPECT_EQ(lines.readings[1].at, kAskedAt);
  EXPECT_EQ(lines.passed_over.Total(), 0U);
}

TEST(LineReadingsTest, AFixedLineNeedsNoLabels) {
  PrometheusQuery query;
  query.name = "q";
  query.value = PrometheusValue::kUtilisation;
  query.from_site = "hk";
  query.to_site = "sg";
  const LineReadings lines = ReadLines(
      query, {.samples = {{.labels = {}, .number = 0.4}}, .warnings = {}}, kSites, kAskedAt);
  ASSERT_EQ(lines.readings.size(), 1U);
  EXPECT_EQ(lines.readings[0].key, (LinkKey{"hk", "sg"}));
}

TEST(LineReadingsTest, WhatIsNoReadingIsCountedAndNamed) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  using Count = std::uint64_t SamplesPassedOver::*;
  const struct {
    PrometheusValue value;
    VectorSample sample;
    Count count;
    const char* example;
  } cases[] = {
      {PrometheusValue::kRtt, Sample("hk", "", 1), &SamplesPassedOver::no_label, "no label dst"},
      {PrometheusValue::kRtt,
       {.labels = {{"dst", "hk"}}, .number = 1},
       &SamplesPassedOver::no_label,
       "no label src"},
      {PrometheusValue::kRtt, Sample("hk", "lon", 1), &SamplesPassedOver::unknown_site,
       "\"lon\" is no site"},
      {PrometheusValue::kRtt, Sample("hk", "hk", 1), &SamplesPassedOver::unknown_site, "both ends"},
      {PrometheusValue::kRtt, Sample("hk", "sg", kNan), &SamplesPassedOver::no_number, "nan"},
      {PrometheusValue::kLoss, Sample("hk", "sg", kInf), &SamplesPassedOver::no_number, "inf"},
      {PrometheusValue::kRtt, Sample("hk", "sg", 0), &SamplesPassedOver::implausible,
       "must give seconds"},
      {PrometheusValue::kRtt, Sample("hk", "sg", -1), &SamplesPassedOver::implausible,
       "must give seconds"},
      {PrometheusValue::kRtt, Sample("hk", "sg", 36'000), &SamplesPassedOver::implausible,
       "36000 s"},
      {PrometheusValue::kLoss, Sample("hk", "sg", 3), &SamplesPassedOver::implausible,
       "not percent"},
      {PrometheusValue::kLoss, Sample("hk", "sg", -0.1), &SamplesPassedOver::implausible,
       "not percent"},
      {PrometheusValue::kUtilisation, Sample("hk", "sg", 73), &SamplesPassedOver::implausible,
       "not percent"},
  };
  for (const auto& c : cases) {
    const LineReadings lines = Read(c.value, {c.sample, Sample("hk", "tyo", 0.05)});
    EXPECT_EQ(lines.readings.size(), 1U) << c.example;
    EXPECT_EQ(lines.passed_over.*c.count, 1U) << c.example;
    EXPECT_EQ(lines.passed_over.Total(), 1U) << c.example;
    EXPECT_NE(lines.passed_over.example.find(c.example), std::string::npos)
        << lines.passed_over.example;
  }
}

TEST(LineReadingsTest, OfSeveralSeriesTheWorseCountsAndIsTold) {
  for (const bool worse_first : {false, true}) {
    std::vector<VectorSample> samples{Sample("hk", "sg", worse_first ? 0.05 : 0.04),
                                      Sample("hk", "sg", worse_first ? 0.04 : 0.05)};
    const LineReadings lines = Read(PrometheusValue::kRtt, samples);
    ASSERT_EQ(lines.readings.size(), 1U);
    EXPECT_EQ(lines.readings[0].number, 0.05);
    EXPECT_EQ(lines.passed_over.repeated, 1U);
    EXPECT_NE(lines.passed_over.example.find("max by"), std::string::npos);
  }
}

TEST(ReadingBookTest, KeepsTheLastGoodUntilItIsStale) {
  ReadingBook book(Seconds(90));
  const auto reading = [](const char* to, double number, int at) {
    return ExternalReading{
        .key = {"hk", to}, .number = number, .query = "q", .at = MonotonicTime(Seconds(at))};
  };
  book.Put(0, {reading("sg", 0.036, 100), reading("tyo", 0.05, 100)});
  book.Put(0, {reading("sg", 0.037, 130)});  // tyo is missing for once
  ExternalReadings now = book.Current(MonotonicTime(Seconds(131)));
  ASSERT_EQ(now.readings.size(), 2U);
  EXPECT_EQ(now.readings[0].number, 0.037);
  EXPECT_EQ(now.stale_after, Nanoseconds(Seconds(90)));
  EXPECT_EQ(book.Count(0), 2U);
  now = book.Current(MonotonicTime(Seconds(190)));
  ASSERT_EQ(now.readings.size(), 1U);
  EXPECT_EQ(now.readings[0].key.to_site, "sg");
  EXPECT_TRUE(book.Current(MonotonicTime(Seconds(220))).readings.empty());
  EXPECT_EQ(book.Count(0), 0U);
}

TEST(ReadingBookTest, TheFirstQueryStandsFirst) {
  ReadingBook book(Seconds(90));
  const MonotonicTime at{Seconds(1)};
  book.Put(1, {{.key = {"hk", "sg"}, .number = 1, .query = "second", .at = at}});
  book.Put(0, {{.key = {"tyo", "sg"}, .number = 2, .query = "first", .at = at}});
  const ExternalReadings now = book.Current(at);
  ASSERT_EQ(now.readings.size(), 2U);
  EXPECT_EQ(now.readings[0].query, "first");
}

}  // namespace
}  // namespace fairlead::extender
