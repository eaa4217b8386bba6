// Noise raises no alarm, and silence, restart and clock step are three different things.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/linkprobe/simulation/line_simulator.h"

namespace fairlead::linkprobe::testing {
namespace {

LineSimulator::Settings Line(int rtt_ms, std::uint64_t seed) {
  LineSimulator::Settings settings;
  settings.seed = seed;
  settings.one_way = Milliseconds(rtt_ms) / 2;
  return settings;
}

class Quiet : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Quiet, DayOfHeavyTailedNoiseRaisesNoAlarm) {
  LineSimulator line(Line(GetParam() % 2 == 0 ? 36 : 68, GetParam()));
  line.Run(Seconds(24 * 3600));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
  EXPECT_EQ(line.Entered(LinkState::kDegraded), 0u);
  EXPECT_EQ(line.Entered(LinkState::kDown), 0u);
  EXPECT_EQ(line.monitor().totals().clock_steps, 0u);
  std::printf("[ figure   ] 24 h, seed %d: %llu probes, Suspect %zu times, Degraded %zu times\n",
              static_cast<int>(GetParam()),
              static_cast<unsigned long long>(line.monitor().totals().answered),
              line.Entered(LinkState::kSuspect), line.Entered(LinkState::kDegraded));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Quiet, ::testing::Values(1, 2, 3));

TEST(Silence, IsDownAndComesBack) {
  LineSimulator line(Line(36, 4));
  line.Run(Seconds(60));
  line.forward.loss = 1;
  const auto took = line.RunUntil(LinkState::kDown, Seconds(30));
  ASSERT_TRUE(took);
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kNoReply);
  EXPECT_GE(*took, Seconds(9));
  EXPECT_LE(*took, Seconds(11));
  line.Run(Seconds(30));
  line.forward.loss = 0;
  ASSERT_TRUE(line.RunUntil(LinkState::kDegraded, Seconds(15))) << line.verdict().evidence;
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kHoldDown) << line.verdict().evidence;
  EXPECT_TRUE(line.RunUntil(LinkState::kHealthy, Seconds(150))) << line.verdict().evidence;
}

TEST(Silence, BeforeTheFirstAnswerIsDownNotHealthy) {
  LineSimulator line(Line(36, 4));
  line.reverse.loss = 1;
  line.Run(Seconds(9));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kUnknown) << line.verdict().evidence;
  EXPECT_TRUE(line.RunUntil(LinkState::kDown, Seconds(3))) << line.verdict().evidence;
}

TEST(PeerRestart, IsNeitherLossNorDown) {
  for (const int gap_s : {2, 8, 25}) {
    LineSimulator line(Line(36, 5));
    line.Run(Seconds(60));
    line.RestartPeer(Seconds(gap_s));
    line.Run(Seconds(gap_s - 1));
    EXPECT_EQ(line.verdict().verdict.state == LinkState::kDown, gap_s > 11);
    line.Run(Seconds(2));
    const PathVerdict& after = line.verdict();
    EXPECT_NE(after.verdict.state, LinkState::kDown) << after.evidence;
    EXPECT_NE(after.verdict.state, LinkState::kDegraded) << after.evidence;
    EXPECT_EQ(after.verdict.reason, LinkReason::kPeerRestart) << after.evidence;
    line.Run(Seconds(12));
    EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
    const PathTotals& totals = line.monitor().totals();
    EXPECT_EQ(totals.lost_forward + totals.lost_reverse + totals.lost_unknown, 0u);
    EXPECT_GT(totals.discarded, static_cast<std::uint64_t>(gap_s) * 8);
    EXPECT_EQ(totals.peer_restarts, 1u);
  }
}

TEST(ClockStep, OfThePeerChangesNoVerdictAndNoRoundTrip) {
  for (const Nanoseconds by : {Nanoseconds(Milliseconds(5)), Nanoseconds(Milliseconds(-5)),
                               Nanoseconds(Seconds(3600)), Nanoseconds(Seconds(-7200))}) {
    LineSimulator line(Line(68, 6));
    line.Run(Seconds(120));
    const auto before = line.monitor().Measure(line.now());
    line.StepPeerClock(by);
    line.Run(Seconds(70));
    const auto after = line.monitor().Measure(line.now());
    EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
    EXPECT_EQ(line.Entered(LinkState::kSuspect), 0u);
    EXPECT_EQ(line.monitor().totals().clock_steps, 1u);
    EXPECT_EQ(line.monitor().totals().impossible, 0u);
    EXPECT_NEAR(static_cast<double>(after.rtt_p50->count()),
                static_cast<double>(before.rtt_p50->count()), 1e5);
    ASSERT_TRUE(after.forward.pdv);
    EXPECT_LT(*after.forward.pdv, Milliseconds(25));
    EXPECT_LT(*after.reverse.pdv, Milliseconds(25));
  }
}

TEST(ClockDrift, OfThePeerDoesNotShowInVariation) {
  LineSimulator::Settings settings = Line(36, 7);
  settings.clock_drift = 400e-6;  // 24 ms a minute
  LineSimulator line(settings);
  line.forward.tail_share = 0;
  line.reverse.tail_share = 0;
  line.prober_host.stalls_per_hour = 0;
  line.responder_host.stalls_per_hour = 0;
  line.Run(Seconds(180));
  const auto m = line.monitor().Measure(line.now());
  std::printf("[ figure   ] drift 400 ppm: pdv forward %.3f ms, reverse %.3f ms\n",
              static_cast<double>(m.forward.pdv->count()) / 1e6,
              static_cast<double>(m.reverse.pdv->count()) / 1e6);
  EXPECT_LT(*m.forward.pdv, Milliseconds(1));
  EXPECT_LT(*m.reverse.pdv, Milliseconds(1));
  EXPECT_EQ(line.monitor().totals().clock_steps, 0u);
}

TEST(HostNoise, IsItsOwnVerdict) {
  LineSimulator line(Line(36, 8));
  line.Run(Seconds(60));
  const MonotonicTime busy_from = line.now();
  line.prober_host.busy = Milliseconds(60);
  for (int i = 0; i < 300; ++i) {
    line.monitor().OnHostLateness(Milliseconds(45), line.now());
    line.Run(Milliseconds(100));
  }
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kSuspect) << line.verdict().evidence;
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kHostNoise);
  EXPECT_EQ(line.Entered(LinkState::kDegraded, busy_from), 0u);
  line.prober_host.busy = Nanoseconds(0);
  line.Run(Seconds(15));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
}

TEST(Reroute, ToAFasterPathIsHealthyAndLearntAnew) {
  LineSimulator line(Line(68, 9));
  line.Run(Seconds(120));
  line.forward.delay -= Milliseconds(9);
  line.forward.hops = 4;
  line.Run(Seconds(12));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kReroute) << line.verdict().evidence;
  line.Run(Seconds(80));
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kNone) << line.verdict().evidence;
  line.forward.delay += Milliseconds(5);
  EXPECT_TRUE(line.RunUntil(LinkState::kDegraded, Seconds(9))) << line.verdict().evidence;
}

TEST(Reroute, ToASlowerPathIsDegradedAndSaysThatThePathChanged) {
  LineSimulator line(Line(36, 10));
  line.Run(Seconds(120));
  line.forward.delay += Milliseconds(9);
  line.forward.hops = 5;
  ASSERT_TRUE(line.RunUntil(LinkState::kDegraded, Seconds(9)));
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kRttStep);
  EXPECT_NE(line.verdict().evidence.find("forward hops 3 -> 5"), std::string::npos)
      << line.verdict().evidence;
}

TEST(NoProbes, IsUnknown) {
  LineSimulator line(Line(36, 11));
  line.Run(Seconds(60));
  line.Drain();
  PathMonitor& monitor = line.monitor();
  for (int i = 1; i < 200; ++i) monitor.Tick(line.now() + Milliseconds(100) * i);
  EXPECT_EQ(monitor.verdict().verdict.state, LinkState::kUnknown) << monitor.verdict().evidence;
  EXPECT_EQ(monitor.verdict().verdict.reason, LinkReason::kNoData);
}

}  // namespace
}  // namespace fairlead::linkprobe::testing
