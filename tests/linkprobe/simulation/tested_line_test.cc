// A bandwidth test that fills the line changes no verdict, and hides none.
#include <gtest/gtest.h>

#include <string>

#include "tests/linkprobe/simulation/line_simulator.h"

namespace fairlead::linkprobe::testing {
namespace {

// The flag comes after the test has begun, and goes when its ports have forgotten it.
constexpr Nanoseconds kFlagComes = Milliseconds(700);
constexpr Nanoseconds kFlagGoes = Seconds(15);

LineSimulator Warm(std::uint64_t seed) {
  LineSimulator line({.seed = seed, .monitor = {}});
  line.Run(Seconds(120));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
  return line;
}

// A queue of 60 ms that comes and goes, and what it drops.
void Fill(LineSimulator& line) {
  line.forward.delay += Milliseconds(30);
  line.forward.jitter = Milliseconds(30);
  line.forward.loss = 0.04;
}

void Empty(LineSimulator& line) {
  line.forward.delay -= Milliseconds(30);
  line.forward.jitter = Nanoseconds(0);
  line.forward.loss = 0;
}

void FillFor(LineSimulator& line, Nanoseconds length) {
  Fill(line);
  line.Run(std::min(kFlagComes, length));
  line.monitor().SetLineTested(true, line.now());
  line.Run(length - std::min(kFlagComes, length));
  Empty(line);
  line.Run(kFlagGoes);
  line.monitor().SetLineTested(false, line.now());
}

class Length : public ::testing::TestWithParam<int> {};

TEST_P(Length, OfATestNeverChangesTheStateOfAHealthyLine) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LineSimulator line = Warm(seed);
    const MonotonicTime begun = line.now();
    FillFor(line, Milliseconds(GetParam()));
    if (Milliseconds(GetParam()) > Seconds(1)) {
      EXPECT_GT(line.monitor().Measure(line.now()).rtt_p99, Milliseconds(60)) << "it is measured";
    }
    line.Run(Seconds(180));
    for (const Transition& t : line.transitions()) {
      EXPECT_TRUE(t.at < begun || t.state == LinkState::kHealthy)
          << "seed " << seed << ": " << t.evidence;
    }
    EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
  }
}

// The longest is that of a lease that is taken back and not answered.
INSTANTIATE_TEST_SUITE_P(Milliseconds, Length,
                         ::testing::Values(300, 2'500, 10'000, 30'000, 60'000, 90'000, 105'000,
                                           150'000),
                         [](const auto& each) { return std::to_string(each.param) + "_ms"; });

TEST(TestedLine, WithoutTheFlagTheSameTestDegradesTheLine) {
  LineSimulator line = Warm(1);
  Fill(line);
  EXPECT_TRUE(line.RunUntil(LinkState::kDegraded, Seconds(30))) << line.verdict().evidence;
}

struct Trouble {
  const char* name;
  void (*begin)(LineSimulator&);
  LinkReason reason;
  int found_within_seconds;
};

class Meanwhile : public ::testing::TestWithParam<Trouble> {};

TEST_P(Meanwhile, IsFoundAfterTheTest) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LineSimulator line = Warm(seed);
    line.monitor().SetLineTested(true, line.now());
    Fill(line);
    line.Run(Seconds(20));
    GetParam().begin(line);
    Empty(line);
    line.Run(kFlagGoes);
    EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
    EXPECT_NE(line.verdict().evidence.find("a bandwidth test fills the line"), std::string::npos)
        << line.verdict().evidence;
    line.monitor().SetLineTested(false, line.now());
    const auto took =
        line.RunUntil(LinkState::kDegraded, Seconds(3 + GetParam().found_within_seconds));
    ASSERT_TRUE(took) << line.verdict().evidence;
    EXPECT_EQ(line.verdict().verdict.reason, GetParam().reason) << line.verdict().evidence;
  }
}

// As soon as without a test, once the windows of delay have left it behind.
INSTANTIATE_TEST_SUITE_P(
    Trouble, Meanwhile,
    ::testing::Values(Trouble{"a_longer_path",
                              [](LineSimulator& l) { l.reverse.delay += Milliseconds(5); },
                              LinkReason::kRttStep, 9},
                      Trouble{"fluctuation",
                              [](LineSimulator& l) { l.reverse.jitter = Milliseconds(8); },
                              LinkReason::kFluctuation, 15},
                      Trouble{"loss", [](LineSimulator& l) { l.reverse.loss = 0.2; },
                              LinkReason::kLossReverse, 15}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(TestedLine, IsDownAtOnceWhereItIsCut) {
  LineSimulator line = Warm(3);
  line.monitor().SetLineTested(true, line.now());
  Fill(line);
  line.Run(Seconds(10));
  line.forward.loss = 1;
  const auto took = line.RunUntil(LinkState::kDown, Seconds(13));
  ASSERT_TRUE(took) << line.verdict().evidence;
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kNoReply);
  Empty(line);
  line.Run(Seconds(30));
  EXPECT_EQ(line.verdict().verdict.reason, LinkReason::kHoldDown) << "it is judged again at once";
  line.monitor().SetLineTested(false, line.now());
  line.Run(Seconds(100));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
}

TEST(TestedLine, HoweverLongItIsSaidToBeTestedItIsJudgedAfterThreeMinutes) {
  LineSimulator line = Warm(4);
  line.monitor().SetLineTested(true, line.now());
  line.forward.delay += Milliseconds(5);
  line.Run(Seconds(179));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy);
  EXPECT_TRUE(line.RunUntil(LinkState::kDegraded, Seconds(1 + 9))) << line.verdict().evidence;
}

TEST(TestedLine, ARowOfTestsHidesNothing) {
  LineSimulator line = Warm(5);
  line.forward.delay += Milliseconds(5);
  const MonotonicTime from = line.now();
  for (int i = 0; i < 60 && line.Entered(LinkState::kDegraded, from) == 0; ++i) {
    line.monitor().SetLineTested(i % 2 == 0, line.now());
    line.Run(Seconds(i % 2 == 0 ? 30 : 4));
  }
  EXPECT_EQ(line.Entered(LinkState::kDegraded, from), 1u) << line.verdict().evidence;
}

TEST(TestedLine, ItsLossesAreForgottenButNotThoseOfAfterwards) {
  LineSimulator line = Warm(6);
  line.monitor().SetLineTested(true, line.now());
  line.forward.loss = 0.5;
  line.Run(Seconds(20));
  line.forward.loss = 0;
  line.monitor().SetLineTested(false, line.now());
  line.Run(Seconds(4));
  const auto now = line.monitor().Measure(line.now());
  EXPECT_GT(now.forward.loss.lost, 50u) << "what was measured stays";
  line.Run(Seconds(70));
  EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
}

}  // namespace
}  // namespace fairlead::linkprobe::testing
