// The ramp on simulated lines: what it finds, when it stops, what it spends.
#include "linkprobe/bandwidth/saturation_ramp.h"

#include <gmock/gmock.h>

#include "tests/linkprobe/bandwidth/simulated_line.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

constexpr Nanoseconds kLongest = Seconds(120);

struct Outcome {
  SaturationResult result;
  Nanoseconds ended{};
  std::uint64_t sent = 0;
  double longest_queue = 0;
};

Outcome RunOn(const SimulatedLineSettings& line, const RampSettings& settings = {},
              std::uint64_t seed = 1) {
  SaturationRamp ramp(settings, SimulatedLine::At({}));
  SimulatedLine simulated(line, seed);
  const Nanoseconds ended = simulated.Run(ramp, kLongest);
  EXPECT_TRUE(ramp.finished());
  return {ramp.result(), ended, simulated.sent_bytes(), simulated.longest_queue()};
}

double Ratio(const Outcome& outcome, double truth) {
  return outcome.result.delivery ? outcome.result.delivery->bytes_per_second / truth : 0;
}

double Bdp(const SimulatedLineSettings& line) {
  return line.bytes_per_second * static_cast<double>(line.rtt.count()) * 1e-9;
}

TEST(SaturationRampTest, FindsTheCapacityOfAnyLine) {
  std::mt19937_64 random(11);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SimulatedLineSettings line;
    line.rtt =
        Nanoseconds(std::uniform_int_distribution<std::int64_t>(4'000'000, 200'000'000)(random));
    line.bytes_per_second =
        std::exp(std::uniform_real_distribution<>(std::log(5e5), std::log(2e9))(random));
    line.jitter = line.rtt / static_cast<std::int64_t>(20 + random() % 200);
    SCOPED_TRACE(std::to_string(line.rtt.count() / 1000) + " us, " +
                 std::to_string(line.bytes_per_second) + " B/s");
    const Outcome outcome = RunOn(line, {}, seed);
    ASSERT_EQ(outcome.result.end, SaturationEnd::kLine) << outcome.result.evidence;
    EXPECT_NEAR(Ratio(outcome, line.bytes_per_second), 1, 0.03);
    EXPECT_TRUE(outcome.result.delivery->held);
    EXPECT_LE(outcome.result.delivery->lowest, outcome.result.delivery->bytes_per_second);
    EXPECT_GE(outcome.result.delivery->highest, outcome.result.delivery->bytes_per_second);
    // A step may pass the knee by half of the window, and the first one is what it is.
    EXPECT_LE(outcome.longest_queue, Bdp(line) + 96 * 1024);
  }
}

TEST(SaturationRampTest, HoldsAWindowNearTheKnee) {
  SimulatedLineSettings line;
  const Outcome outcome = RunOn(line);
  ASSERT_TRUE(outcome.result.delivery);
  EXPECT_LT(static_cast<double>(outcome.result.delivery->in_flight_bytes), 1.5 * Bdp(line));
  EXPECT_GT(static_cast<double>(outcome.result.delivery->in_flight_bytes), 0.95 * Bdp(line));
  EXPECT_THAT(outcome.result.evidence, HasSubstr("delivery grew only to"));
  EXPECT_LT(outcome.ended, Seconds(5));
}

TEST(SaturationRampTest, CompanyThatCameEarlierLeavesWhatIsAvailable) {
  SimulatedLineSettings line;
  line.others = [](Nanoseconds) { return 5e6; };
  const Outcome outcome = RunOn(line);
  // A queue shared in order gives each its share of what arrives, so a little more than the rest.
  EXPECT_GT(Ratio(outcome, 7.5e6), 0.97);
  EXPECT_LT(Ratio(outcome, 7.5e6), 1.15);
}

TEST(SaturationRampTest, AFullSenderIsNotCalledAFullLine) {
  SimulatedLineSettings line;
  line.bytes_per_second = 1e9;
  line.sender_bytes_per_second = 2e7;
  Outcome outcome = RunOn(line);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kSender) << outcome.result.evidence;
  EXPECT_NEAR(Ratio(outcome, 2e7), 1, 0.03);
  // Soft-RoCE: 128 packets on each of 4 queue pairs.
  line.sender_bytes_per_second = 1e12;
  line.sender_window_bytes = 4 * 128 * 4096;
  outcome = RunOn(line);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kSender) << outcome.result.evidence;
  EXPECT_NEAR(Ratio(outcome, 4 * 128 * 4096 / 0.036), 1, 0.06);
  RampSettings settings;
  settings.most_bytes = 1'000'000;
  line.sender_window_bytes = 1e15;
  outcome = RunOn(line, settings);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kSender);
  EXPECT_NEAR(Ratio(outcome, 1e6 / 0.036), 1, 0.06);
  EXPECT_THAT(outcome.result.evidence, HasSubstr("largest window"));
}

TEST(SaturationRampTest, GrowsNoFurtherThanTheTarget) {
  SimulatedLineSettings line;
  RampSettings settings;
  settings.target_bytes_per_second = 4e6;
  const Outcome outcome = RunOn(line, settings);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kTarget);
  EXPECT_NEAR(Ratio(outcome, 4e6), 1, 0.08);
  EXPECT_LT(outcome.longest_queue, 64 * 1024);
}

// When others take at least 0.6 of the line, once the test delivers most of it, the test is over
// within two round trips and 50 ms.
TEST(SaturationRampTest, GivesWayWithinTwoRoundTrips) {
  std::mt19937_64 random(5);
  int judged = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SimulatedLineSettings line;
    line.rtt =
        Nanoseconds(std::uniform_int_distribution<std::int64_t>(10'000'000, 200'000'000)(random));
    line.bytes_per_second =
        std::exp(std::uniform_real_distribution<>(std::log(2e6), std::log(1e9))(random));
    RampSettings settings;
    settings.hold = Seconds(4);
    // Found without others first, so that the moment can be put into the hold.
    const Outcome alone = RunOn(line, settings, seed);
    ASSERT_EQ(alone.result.end, SaturationEnd::kLine);
    const Nanoseconds begin =
        alone.ended - Nanoseconds(static_cast<std::int64_t>(
                          3.5e9 * std::uniform_real_distribution<>(0.3, 1)(random)));
    const double share = std::uniform_real_distribution<>(0.6, 2)(random);
    line.others = [=](Nanoseconds at) { return at >= begin ? share * line.bytes_per_second : 0; };
    SCOPED_TRACE(std::to_string(line.rtt.count() / 1000) + " us, others take " +
                 std::to_string(share));
    const Outcome outcome = RunOn(line, settings, seed);
    ASSERT_EQ(outcome.result.end, SaturationEnd::kHarm) << outcome.result.evidence;
    EXPECT_GE(outcome.ended, begin);
    EXPECT_LE(outcome.ended - begin, 2 * line.rtt + Milliseconds(50));
    EXPECT_THAT(outcome.result.evidence, HasSubstr("delivery fell from"));
    EXPECT_TRUE(outcome.result.delivery);
    ++judged;
  }
  EXPECT_EQ(judged, 120);
}

TEST(SaturationRampTest, EcnAndLossAreSignsToo) {
  SimulatedLineSettings line;
  line.buffer_bytes = 60e3;  // 5 ms: too little for the round trip to show
  RampSettings settings;
  settings.harm.rise_floor = Milliseconds(20);
  settings.hold = Seconds(4);
  line.others = [](Nanoseconds at) { return at > Seconds(4) ? 12e6 : 0; };
  Outcome outcome = RunOn(line, settings);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kHarm) << outcome.result.evidence;
  EXPECT_THAT(outcome.result.evidence, HasSubstr("packets were lost"));
  line.buffer_bytes = 1e12;
  line.ecn_above_bytes = 80e3;
  settings.harm.rise_floor = Seconds(5);
  outcome = RunOn(line, settings);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kHarm) << outcome.result.evidence;
  EXPECT_THAT(outcome.result.evidence, HasSubstr("ECN marks came"));
}

TEST(SaturationRampTest, SpendsItsQuotaToTheByteAndNoMore) {
  for (const std::uint64_t quota : {1ULL, 4'095ULL, 100'000ULL, 1'234'567ULL, 9'999'999ULL}) {
    SimulatedLineSettings line;
    line.quota = quota;
    const Outcome outcome = RunOn(line);
    EXPECT_EQ(outcome.result.end, SaturationEnd::kQuota);
    EXPECT_EQ(outcome.sent, quota);
  }
  // Cut short in the hold: what was measured of it stands.
  SimulatedLineSettings line;
  line.quota = RunOn(line).sent * 9 / 10;
  const Outcome outcome = RunOn(line);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kQuota);
  ASSERT_TRUE(outcome.result.delivery);
  EXPECT_TRUE(outcome.result.delivery->held);
  EXPECT_NEAR(Ratio(outcome, line.bytes_per_second), 1, 0.05);
}

TEST(SaturationRampTest, ALineThatIsCutIsSilentAndOneThatNeverAnsweredToo) {
  SimulatedLineSettings line;
  line.cut_at = Seconds(1);
  Outcome outcome = RunOn(line);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kSilent);
  EXPECT_LT(outcome.ended, Seconds(5));
  line.cut_at = Nanoseconds(0);
  outcome = RunOn(line);
  EXPECT_EQ(outcome.result.end, SaturationEnd::kNoReplies);
  EXPECT_FALSE(outcome.result.delivery);
  EXPECT_EQ(outcome.sent, 0U);
}

TEST(SaturationRampTest, AShallowBufferEndsItWithWhatWasClean) {
  SimulatedLineSettings line;
  line.buffer_bytes = 30e3;
  const Outcome outcome = RunOn(line);
  ASSERT_TRUE(outcome.result.delivery);
  EXPECT_GT(Ratio(outcome, line.bytes_per_second), 0.5);
  EXPECT_LE(Ratio(outcome, line.bytes_per_second), 1.01);
}

TEST(SaturationRampTest, AStalledHostIsNotTakenForHarm) {
  // Both directions stop for 60 ms and then all comes at once, as when this process did not run.
  SaturationRamp ramp({}, SimulatedLine::At({}));
  Nanoseconds now{};
  const Nanoseconds rtt = Milliseconds(36);
  const auto step = [&](Nanoseconds by, std::uint64_t bytes, Nanoseconds trip) {
    now += by;
    ramp.OnRoundTrip(SimulatedLine::At(now), trip);
    if (bytes > 0) ramp.OnDelivered(SimulatedLine::At(now), bytes);
    ramp.Turn(SimulatedLine::At(now));
  };
  for (int i = 0; i < 21; ++i) step(Milliseconds(5), 0, rtt);
  for (int i = 0; i < 120 && !ramp.finished(); ++i) {
    const std::uint64_t window = ramp.InFlight(SimulatedLine::At(now));
    step(Milliseconds(5), window * 5 / 36, rtt);
  }
  ASSERT_FALSE(ramp.finished());
  for (int i = 0; i < 4; ++i) step(Milliseconds(60), 1, rtt + Milliseconds(60));
  EXPECT_FALSE(ramp.finished()) << ramp.result().evidence;
}

}  // namespace
}  // namespace fairlead::linkprobe
