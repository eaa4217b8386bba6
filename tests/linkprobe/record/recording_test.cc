// Windows cut from what a probe knows, and sorted again as they are read.
#include "linkprobe/record/recording.h"

#include <gtest/gtest.h>

#include <functional>

#include "linkprobe/record/window_cutter.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

constexpr double kRtt = 0.036;

TEST(RecordingBuilderTest, KeepsWhatIsInOrder) {
  RecordingBuilder builder(MakeFacts());
  for (std::size_t i = 0; i < 5; ++i) {
    builder.Add(MakeWindow(i, kRtt, "sg:7473"));
    builder.Add(MakeWindow(i, kRtt, "tyo:7473"));
  }
  builder.NoteEnd();
  const Recording recording = builder.Take();
  ASSERT_EQ(recording.lines.size(), 2U);
  EXPECT_EQ(recording.lines.begin()->second.size(), 5U);
  EXPECT_EQ(recording.passed_over, PassedOver{});
  EXPECT_EQ(recording.clock_steps, 0U);
  EXPECT_TRUE(recording.complete);
}

TEST(RecordingBuilderTest, PassesOverWhatContradictsItself) {
  const std::pair<const char*, std::function<void(LineWindow&)>> cases[] = {
      {"ends before it begins", [](LineWindow& w) { w.end = w.begin; }},
      {"begins before the recording", [](LineWindow& w) { w.begin = Nanoseconds(-1); }},
      {"negative RTT", [](LineWindow& w) { w.rtt_min = Nanoseconds(-1); }},
      {"p50 above p99", [](LineWindow& w) { w.rtt_p50 = *w.rtt_p99 + Nanoseconds(1); }},
      {"min above p50", [](LineWindow& w) { w.rtt_min = *w.rtt_p50 + Nanoseconds(1); }},
      {"more lost than sent", [](LineWindow& w) { w.forward.lost = w.forward.sent + 1; }},
      {"negative jitter", [](LineWindow& w) { w.reverse.jitter = Nanoseconds(-1); }},
      {"negative bandwidth",
       [](LineWindow& w) {
         w.bandwidth = WindowBandwidth{-1, "train"};
       }},
  };
  for (const auto& [what, spoil] : cases) {
    RecordingBuilder builder(MakeFacts());
    builder.Add(MakeWindow(0, kRtt));
    LineWindow bad = MakeWindow(1, kRtt);
    spoil(bad);
    builder.Add(bad);
    builder.Add(MakeWindow(2, kRtt));
    const Recording recording = builder.Take();
    EXPECT_EQ(recording.passed_over, PassedOver{.impossible = 1}) << what;
    EXPECT_EQ(recording.lines.begin()->second.size(), 2U) << what;
  }
}

TEST(RecordingBuilderTest, TimeDoesNotRunBackwards) {
  RecordingBuilder builder(MakeFacts());
  builder.Add(MakeWindow(5, kRtt));
  builder.Add(MakeWindow(3, kRtt));
  builder.Add(MakeWindow(5, kRtt));
  LineWindow other_rung = MakeWindow(5, kRtt);
  other_rung.rung = TransportRung::kUdpSw;
  builder.Add(other_rung);  // the same time again, measured otherwise
  builder.Add(MakeWindow(6, kRtt));
  const Recording recording = builder.Take();
  EXPECT_EQ(recording.passed_over, PassedOver{.out_of_order = 3});
  ASSERT_EQ(recording.lines.size(), 1U);
  EXPECT_EQ(recording.lines.begin()->second.size(), 2U);
}

TEST(RecordingBuilderTest, AHostThatSleptIsPassedOver) {
  RecordingBuilder builder(MakeFacts());
  LineWindow slept = MakeWindow(0, kRtt);
  slept.end = slept.begin + Seconds(11);
  slept.wall_end = WallTime(Seconds(1'800'000'000)) + slept.end;
  builder.Add(slept);
  LineWindow hasty = MakeWindow(3, kRtt);
  hasty.end = hasty.begin + Seconds(2);
  hasty.wall_end = WallTime(Seconds(1'800'000'000)) + hasty.end;
  builder.Add(hasty);
  builder.Add(MakeWindow(4, kRtt));
  const Recording recording = builder.Take();
  EXPECT_EQ(recording.passed_over, PassedOver{.odd_length = 2});
  EXPECT_EQ(recording.clock_steps, 0U);
}

TEST(RecordingBuilderTest, AClockThatIsSetIsNotedAndHarmless) {
  RecordingBuilder builder(MakeFacts());
  for (std::size_t i = 0; i < 10; ++i) {
    LineWindow window = MakeWindow(i, kRtt);
    if (i >= 3) window.wall_end += Seconds(3600);
    if (i >= 7) window.wall_end -= Seconds(7200);
    if (i >= 8) window.wall_end += Milliseconds(400);  // slewed
    builder.Add(window);
  }
  const Recording recording = builder.Take();
  EXPECT_EQ(recording.clock_steps, 2U);
  EXPECT_EQ(recording.lines.begin()->second.size(), 10U);
}

class WindowCutterTest : public testing::Test {
 protected:
  // What a probe of 10/s knows after `tenths` of a second, with what was lost so far.
  std::optional<LineWindow> Observe(int tenths, std::uint64_t forward, std::uint64_t reverse) {
    PathObservation seen;
    seen.line = "sg:7473";
    seen.at = MonotonicTime(Seconds(100)) + tenths * Milliseconds(100);
    seen.measurement.rung = TransportRung::kRdmaUdSw;
    seen.measurement.samples = 50;
    seen.measurement.rtt_p50 = Milliseconds(36);
    seen.measurement.forward.jitter = Milliseconds(2);
    seen.totals.sent = static_cast<std::uint64_t>(tenths);
    seen.totals.lost_forward = forward;
    seen.totals.lost_reverse = reverse;
    seen.totals.answered = static_cast<std::uint64_t>(tenths) - forward - reverse;
    return cutter_.Observe(seen);
  }

  WindowCutter cutter_{MonotonicTime(Seconds(98)), Seconds(5)};
};

TEST_F(WindowCutterTest, CutsAtTheLength) {
  EXPECT_FALSE(Observe(10, 0, 0));
  EXPECT_FALSE(Observe(59, 1, 0));
  const auto first = Observe(61, 2, 1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->begin, Nanoseconds(Seconds(3)));
  EXPECT_EQ(first->end, Nanoseconds(Milliseconds(8100)));
  EXPECT_EQ(first->forward.sent, 51U);
  EXPECT_EQ(first->forward.lost, 2U);
  EXPECT_EQ(first->reverse.sent, 49U);
  EXPECT_EQ(first->reverse.lost, 1U);
  EXPECT_EQ(first->rtt_p50, Nanoseconds(Milliseconds(36)));
  EXPECT_EQ(first->forward.jitter, Nanoseconds(Milliseconds(2)));
  EXPECT_FALSE(first->reverse.jitter);
  EXPECT_FALSE(Observe(110, 2, 1));
  const auto second = Observe(111, 2, 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->begin, first->end);
  EXPECT_EQ(second->forward.lost, 0U);
}

TEST_F(WindowCutterTest, NoLossFallsBetweenTwoWindows) {
  std::uint64_t recorded = 0;
  std::uint64_t lost = 0;
  for (int tenths = 10; tenths <= 1000; tenths += 7) {
    lost += static_cast<std::uint64_t>(tenths % 3 == 0 ? 2 : 0);
    if (const auto window = Observe(tenths, lost, 0)) recorded += window->forward.lost;
  }
  const auto last = Observe(1060, lost, 0);
  ASSERT_TRUE(last);
  EXPECT_EQ(recorded + last->forward.lost, lost);
}

TEST_F(WindowCutterTest, SilenceAndPathsBuiltAnewGiveNoWindow) {
  EXPECT_FALSE(Observe(100, 0, 0));
  PathObservation silent;
  silent.line = "sg:7473";
  silent.at = MonotonicTime(Seconds(120));
  silent.totals.sent = 100;
  silent.totals.answered = 100;
  EXPECT_FALSE(cutter_.Observe(silent));  // nothing was sent
  silent.at = MonotonicTime(Seconds(130));
  silent.totals.sent = 3;
  silent.totals.answered = 3;
  EXPECT_FALSE(cutter_.Observe(silent));  // its counters begin again
  silent.at = MonotonicTime(Seconds(136));
  silent.totals.sent = 53;
  silent.totals.answered = 50;
  silent.totals.lost_forward = 3;
  const auto window = cutter_.Observe(silent);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->begin, Nanoseconds(Seconds(32)));
  EXPECT_EQ(window->forward.sent, 50U);
}

TEST_F(WindowCutterTest, EachPathHasItsOwnWindows) {
  PathObservation seen;
  seen.line = "sg:7473";
  for (const std::uint32_t path : {0U, 1U}) {
    seen.path = path;
    seen.at = MonotonicTime(Seconds(100 + path));
    EXPECT_FALSE(cutter_.Observe(seen));
  }
  seen.totals.sent = seen.totals.answered = 50;
  seen.at = MonotonicTime(Milliseconds(105'500));
  seen.path = 0;
  EXPECT_TRUE(cutter_.Observe(seen));
  seen.path = 1;
  EXPECT_FALSE(cutter_.Observe(seen));
}

}  // namespace
}  // namespace fairlead::linkprobe
