// What is said of two recordings, and how often it is wrong.
#include "linkprobe/record/comparison.h"

#include <gtest/gtest.h>

#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

constexpr double kBase = 0.036;
constexpr double kNoise = 0.0003;

ValueComparison Only(const Comparison& comparison, LineValue value) {
  for (const ValueComparison& compared : comparison.lines.at(0).values) {
    if (compared.value == value) return compared;
  }
  ADD_FAILURE() << LineValueName(value) << " is missing";
  return comparison.lines.at(0).values.at(0);
}

// A copy with something done to each window of each line.
template <class Change>
Recording Changed(const Recording& from, const Change& change) {
  RecordingBuilder builder(from.facts);
  for (const auto& [key, windows] : from.lines) {
    for (std::size_t i = 0; i < windows.size(); ++i) {
      LineWindow window = windows[i];
      change(window, i);
      builder.Add(window);
    }
  }
  return builder.Take();
}

class CoverageTest : public testing::TestWithParam<std::tuple<double, std::size_t>> {};

// The interval of the difference of two medians of the same line holds 0 as often as it promises.
TEST_P(CoverageTest, IntervalsHoldWhatTheyPromise) {
  const auto [r, size] = GetParam();
  constexpr int kRounds = 200;
  int held = 0;
  int said = 0;
  for (int i = 0; i < kRounds; ++i) {
    const auto seed = static_cast<std::uint64_t>(2 * i);
    const Estimate before = EstimateMedian(Autoregressive(size, r, 1000 + seed), seed);
    const Estimate after = EstimateMedian(Autoregressive(size, r, 1001 + seed), seed + 1);
    if (before.Blocks() < kFewestBlocks || after.Blocks() < kFewestBlocks) continue;
    const Interval interval = DifferenceInterval(before, after, 0.95);
    ++said;
    held += interval.lower <= 0 && interval.upper >= 0 ? 1 : 0;
  }
  RecordProperty("said", said);
  if (said < kRounds / 10) return;  // strong dependence in a short series: rightly nothing is said
  EXPECT_GE(static_cast<double>(held) / said, 0.90) << held << " of " << said;
}

INSTANTIATE_TEST_SUITE_P(Series, CoverageTest,
                         testing::Combine(testing::Values(0.0, 0.5, 0.8),
                                          testing::Values(12U, 40U, 120U)));

TEST(CompareTest, NothingIsShownWhereNothingChanged) {
  int shown = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Comparison same =
        Compare(MakeRecording(Autoregressive(60, 0.5, 2 * i), kBase, kNoise),
                MakeRecording(Autoregressive(60, 0.5, 2 * i + 1), kBase, kNoise), {});
    shown += static_cast<int>(same.Count(Verdict::kBetter) + same.Count(Verdict::kWorse));
  }
  EXPECT_LE(shown, 4);  // of 40 comparisons, each of six values, with 95 % together
}

TEST(CompareTest, AChangeIsFoundWithItsSign) {
  const Recording slow = MakeRecording(Autoregressive(60, 0.5, 1), kBase + 0.001, kNoise);
  const Recording fast = MakeRecording(Autoregressive(60, 0.5, 2), kBase, kNoise);
  const Comparison better = Compare(slow, fast, {});
  const ValueComparison rtt = Only(better, LineValue::kRttP50);
  EXPECT_EQ(rtt.verdict, Verdict::kBetter);
  EXPECT_NEAR(rtt.difference, -0.001, 0.0004);
  ASSERT_TRUE(rtt.interval);
  EXPECT_LT(rtt.interval->lower, rtt.difference);
  EXPECT_GT(rtt.interval->upper, rtt.difference);
  EXPECT_LT(rtt.interval->upper, 0);
  EXPECT_EQ(Only(better, LineValue::kJitterForward).verdict, Verdict::kNoDifference);
  EXPECT_EQ(Only(better, LineValue::kLossForward).verdict, Verdict::kNoDifference);
  EXPECT_EQ(Only(Compare(fast, slow, {}), LineValue::kRttP50).verdict, Verdict::kWorse);
}

TEST(CompareTest, IsRepeatable) {
  const Recording before = MakeRecording(Autoregressive(60, 0.5, 1), kBase, kNoise);
  const Recording after = MakeRecording(Autoregressive(60, 0.5, 2), kBase, kNoise);
  const auto interval = [&](std::uint64_t seed) {
    return Only(Compare(before, after, {.seed = seed}), LineValue::kRttP50).interval->lower;
  };
  EXPECT_EQ(interval(1), interval(1));
  EXPECT_NE(interval(1), interval(2));
}

TEST(CompareTest, MirrorsWhenTheRecordingsChangePlaces) {
  const Recording a = MakeRecording(Autoregressive(60, 0.2, 1), kBase, kNoise);
  const Recording b = MakeRecording(Autoregressive(60, 0.2, 2), kBase + 0.0005, kNoise);
  const ValueComparison there = Only(Compare(a, b, {}), LineValue::kRttP50);
  const ValueComparison back = Only(Compare(b, a, {}), LineValue::kRttP50);
  EXPECT_EQ(there.difference, -back.difference);
  const double width = there.interval->upper - there.interval->lower;
  EXPECT_NEAR(back.interval->upper - back.interval->lower, width, 0.1 * width);
}

TEST(CompareTest, TooFewWindowsAreSaid) {
  const Recording few = MakeRecording(Autoregressive(9, 0, 1), kBase, kNoise);
  const Recording enough = MakeRecording(Autoregressive(60, 0, 2), kBase + 1, kNoise);
  const ValueComparison rtt = Only(Compare(few, enough, {}), LineValue::kRttP50);
  EXPECT_EQ(rtt.verdict, Verdict::kTooFewWindows);
  EXPECT_FALSE(rtt.interval);
  EXPECT_EQ(rtt.reason, "before has 9 windows; record 10 or more");

  std::vector<double> trend(30);
  for (std::size_t i = 0; i < trend.size(); ++i) trend[i] = static_cast<double>(i);
  const ValueComparison hanging =
      Only(Compare(enough, MakeRecording(trend, kBase, kNoise), {}), LineValue::kRttP50);
  EXPECT_EQ(hanging.verdict, Verdict::kTooFewWindows);
  EXPECT_NE(hanging.reason.find("hang together"), std::string::npos) << hanging.reason;
}

TEST(CompareTest, SmallerThanTheStampsIsNoDifference) {
  const std::vector<double> constant(60, 0.0);
  const Comparison tiny =
      Compare(MakeRecording(constant, kBase, 0), MakeRecording(constant, kBase + 15e-6, 0), {});
  const ValueComparison rtt = Only(tiny, LineValue::kRttP50);
  EXPECT_EQ(rtt.verdict, Verdict::kNoDifference);
  EXPECT_EQ(rtt.reason, "smaller than these stamps can show");
  const Comparison larger =
      Compare(MakeRecording(constant, kBase, 0), MakeRecording(constant, kBase + 25e-6, 0), {});
  EXPECT_EQ(Only(larger, LineValue::kRttP50).verdict, Verdict::kWorse);
}

TEST(CompareTest, LossIsAProportion) {
  const Recording clean = MakeRecording(Autoregressive(60, 0, 1), kBase, kNoise);
  const Recording lossy = Changed(clean, [](LineWindow& window, std::size_t i) {
    window.forward.lost = i % 3 == 0 ? 2 : 0;  // 40 of 3000
  });
  const Comparison compared = Compare(clean, lossy, {});
  const ValueComparison forward = Only(compared, LineValue::kLossForward);
  EXPECT_EQ(forward.verdict, Verdict::kWorse);
  EXPECT_NEAR(forward.difference, 40.0 / 3000, 1e-12);
  EXPECT_EQ(forward.after.lost, 40U);
  EXPECT_EQ(forward.after.sent, 3000U);
  EXPECT_EQ(Only(compared, LineValue::kLossReverse).verdict, Verdict::kNoDifference);
}

// 0 of 3000 on both sides does not prove that nothing is lost.
TEST(CompareTest, NoLossOnEitherSideStillHasAnInterval) {
  const Recording clean = MakeRecording(Autoregressive(60, 0, 1), kBase, kNoise);
  const ValueComparison loss = Only(Compare(clean, clean, {}), LineValue::kLossForward);
  EXPECT_LT(loss.interval->lower, -5e-4);
  EXPECT_GT(loss.interval->upper, 5e-4);
}

// As many losses as above would show, but all in one burst: that may be one event.
TEST(CompareTest, OneBurstIsNoProof) {
  const Recording clean = MakeRecording(Autoregressive(60, 0, 1), kBase, kNoise);
  const Recording burst = Changed(
      clean, [](LineWindow& window, std::size_t i) { window.forward.lost = i == 30 ? 40 : 0; });
  EXPECT_EQ(Only(Compare(clean, burst, {}), LineValue::kLossForward).verdict,
            Verdict::kNoDifference);
}

TEST(CompareTest, MoreBandwidthIsBetterAndSourcesAreKeptApart) {
  const Recording plain = MakeRecording(Autoregressive(60, 0, 1), kBase, kNoise);
  const auto with = [&](double rate, const char* source) {
    return Changed(plain, [=](LineWindow& window, std::size_t i) {
      window.bandwidth = WindowBandwidth{rate + static_cast<double>(i % 5) * 1e6, source};
    });
  };
  const Comparison more = Compare(with(1e9, "train"), with(2e9, "train"), {});
  EXPECT_EQ(Only(more, LineValue::kBandwidth).verdict, Verdict::kBetter);
  const Comparison apart = Compare(with(1e9, "train"), with(2e9, "saturation"), {});
  std::size_t count = 0;
  for (const ValueComparison& value : apart.lines.at(0).values) {
    if (value.value != LineValue::kBandwidth) continue;
    ++count;
    EXPECT_EQ(value.verdict, Verdict::kTooFewWindows) << value.source;
  }
  EXPECT_EQ(count, 2U);
}

TEST(CompareTest, LinesOfOneRecordingOnlyAreNamed) {
  const Recording before = MakeRecording(Autoregressive(20, 0, 1), kBase, kNoise);
  const Recording other = Changed(before, [](LineWindow& w, std::size_t) { w.line = "tyo:7473"; });
  const Comparison lines = Compare(before, other, {});
  EXPECT_TRUE(lines.lines.empty());
  ASSERT_EQ(lines.not_compared.size(), 2U);
  EXPECT_EQ(lines.not_compared[0].reason, "not recorded after");
  EXPECT_EQ(lines.not_compared[1].reason, "not recorded before");

  const Recording udp =
      Changed(before, [](LineWindow& w, std::size_t) { w.rung = TransportRung::kUdpSw; });
  const Comparison rungs = Compare(before, udp, {});
  EXPECT_TRUE(rungs.lines.empty());
  EXPECT_EQ(rungs.not_compared.at(0).reason,
            "measured as udp_sw after; values of different rungs are not comparable");
}

TEST(CompareTest, MoreQuestionsMakeEachIntervalWider) {
  const Recording one = MakeRecording(Autoregressive(60, 0, 1), kBase, kNoise);
  EXPECT_NEAR(Compare(one, one, {}).value_confidence, 1 - 0.05 / 6, 1e-12);
  EXPECT_NEAR(Compare(one, one, {.confidence = 0.8}).value_confidence, 1 - 0.2 / 6, 1e-12);
}

TEST(CompareTest, EmptyRecordingsAreNoTrouble) {
  RecordingBuilder builder(MakeFacts());
  const Recording empty = builder.Take();
  const Comparison nothing = Compare(empty, empty, {});
  EXPECT_TRUE(nothing.lines.empty());
  EXPECT_EQ(nothing.value_confidence, 0.95);
}

}  // namespace
}  // namespace fairlead::linkprobe
