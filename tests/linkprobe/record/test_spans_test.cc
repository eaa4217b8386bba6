// Windows that bandwidth tests fall into, and what is compared of them.
#include "linkprobe/record/test_spans.h"

#include <gtest/gtest.h>

#include <random>

#include "linkprobe/record/comparison.h"
#include "linkprobe/record/value_series.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

constexpr char kLine[] = "sg:7473";
const WindowBandwidth kFound{.bits_per_second = 1e9, .source = "train"};

// The `i`th window of five seconds as the spans have it.
LineWindow Described(TestSpans& spans, std::size_t i, std::uint32_t path = 0,
                     const std::string& line = kLine) {
  LineWindow window = MakeWindow(i, 0.036, line);
  window.path = path;
  spans.Describe(window);
  return window;
}

TEST(TestSpansTest, ATestShapesItsWindowsAndThoseSoonAfter) {
  TestSpans spans;
  EXPECT_FALSE(Described(spans, 0).tested);
  spans.Began(kLine, Seconds(7));
  EXPECT_TRUE(Described(spans, 1).tested) << "under way";
  EXPECT_TRUE(Described(spans, 2).tested) << "still";
  spans.Ended(kLine, Seconds(17), kFound);
  EXPECT_TRUE(Described(spans, 3).tested) << "ended in it";
  EXPECT_FALSE(Described(spans, 4).tested) << "began when all was over";
  spans.Began(kLine, Seconds(25));
  spans.Ended(kLine, Seconds(28), kFound);
  EXPECT_TRUE(Described(spans, 5).tested);
  EXPECT_TRUE(Described(spans, 6).tested) << "probes lost by then are being given up";
  EXPECT_FALSE(Described(spans, 7).tested);
}

TEST(TestSpansTest, WhatWasFoundIsInOneWindowOfTheFirstPath) {
  TestSpans spans;
  spans.Began(kLine, Seconds(1));
  EXPECT_FALSE(Described(spans, 0).bandwidth);
  spans.Ended(kLine, Seconds(6), kFound);
  EXPECT_FALSE(Described(spans, 1, 1).bandwidth) << "another path";
  EXPECT_FALSE(Described(spans, 1, 0, "tyo:7473").bandwidth) << "another line";
  const LineWindow window = Described(spans, 1);
  ASSERT_TRUE(window.bandwidth);
  EXPECT_EQ(window.bandwidth->bits_per_second, 1e9);
  EXPECT_FALSE(Described(spans, 2).bandwidth) << "once";
}

TEST(TestSpansTest, ATestThatNeverBeganChangesNothing) {
  TestSpans spans;
  spans.Ended(kLine, Seconds(1), std::nullopt);
  EXPECT_FALSE(Described(spans, 0).tested);
  spans.Began(kLine, Seconds(6));
  spans.Ended(kLine, Seconds(7), std::nullopt);
  spans.Ended(kLine, Seconds(21), std::nullopt);
  EXPECT_FALSE(Described(spans, 4).tested) << "the one that began is long over";
}

// Whenever tests come: a window is tested if and only if one overlaps it or its time afterwards.
TEST(TestSpansTest, NoOverlapIsMissedOrMadeUp) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    TestSpans spans;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> tests;
    Nanoseconds at = Milliseconds(random() % 9000);
    for (std::size_t i = 0; i < 100; ++i) {
      const Nanoseconds window_end = Seconds(5 * (i + 1));
      while (at < window_end) {
        const Nanoseconds length = Milliseconds(1 + random() % 4000);
        spans.Began(kLine, at);
        spans.Ended(kLine, at + length, kFound);
        tests.emplace_back(at, at + length);
        at += length + Milliseconds(random() % 40'000);
      }
      bool expected = false;
      for (const auto& [begin, end] : tests) {
        expected = expected ||
                   (begin < window_end && end + TestSpans::kAfterwards > window_end - Seconds(5));
      }
      EXPECT_EQ(Described(spans, i).tested, expected) << round << " " << i;
    }
  }
}

TEST(MakeWindowBandwidthTest, SaysWhereItMayBeMore) {
  EXPECT_EQ(MakeWindowBandwidth(125e6, "train", false).bits_per_second, 1e9);
  EXPECT_EQ(MakeWindowBandwidth(1, "train", false).source, "train");
  EXPECT_EQ(MakeWindowBandwidth(1, "saturation", true).source, "saturation_at_least");
}

// Every sixth window has a test, which makes a queue of 40 ms and loses probes.
Recording Tested(double bits_per_second) {
  RecordingBuilder builder(MakeFacts());
  for (std::size_t i = 0; i < 90; ++i) {
    const bool tested = i % 6 == 0;
    LineWindow window = MakeWindow(i, tested ? 0.076 : 0.036);
    window.tested = tested;
    if (tested) {
      window.forward.lost = 20;
      window.bandwidth = MakeWindowBandwidth(bits_per_second / 8, "train", false);
    }
    builder.Add(window);
  }
  builder.NoteEnd();
  return builder.Take();
}

TEST(TestedWindowsTest, OnlyTheirBandwidthIsCompared) {
  const Recording before = Tested(10e9);
  const Comparison comparison = Compare(before, Tested(9e9), {});
  ASSERT_EQ(comparison.lines.size(), 1U);
  for (const ValueComparison& value : comparison.lines[0].values) {
    SCOPED_TRACE(LineValueName(value.value));
    if (value.value == LineValue::kBandwidth) {
      EXPECT_EQ(value.before.windows.size(), 15U);
      EXPECT_EQ(value.verdict, Verdict::kWorse);
      EXPECT_DOUBLE_EQ(value.difference, -1e9);
      continue;
    }
    EXPECT_EQ(value.before.windows.size(), 75U);
    EXPECT_EQ(value.before.lost, 0U) << "the test's own harm is not the line's";
    EXPECT_EQ(value.verdict, Verdict::kNoDifference);
  }
  const auto& windows = before.lines.begin()->second;
  for (const double rtt : SeriesOf(windows, LineValue::kRttP50, "")) EXPECT_LT(rtt, 0.04);
}

}  // namespace
}  // namespace fairlead::linkprobe
