// A bandwidth test that fills the line changes no verdict, and hides none.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

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

void Saturate(LineSimulator& line, Nanoseconds length) {
  Fill(line);
  line.Run(length);
  Empty(line);
}

// Each is 1 MB over 100 Mb/s, so the queue that it makes is gone 80 ms later, and waits for a round
// trip, twice its span and a little more.
void SendTrains(LineSimulator& line, Nanoseconds length) {
  constexpr Nanoseconds kStep = Milliseconds(10);
  constexpr Nanoseconds kSpan = Milliseconds(80);
  constexpr Nanoseconds kApart = Milliseconds(250);
  const Nanoseconds empty = line.forward.delay;
  for (Nanoseconds sent{}; sent < length; sent += kStep) {
    line.forward.delay = empty + std::max(Nanoseconds(0), kSpan - sent % kApart);
    line.Run(std::min(kStep, length - sent));
  }
  line.forward.delay = empty;
}

struct BandwidthTest {
  const char* name;
  void (*run)(LineSimulator&, Nanoseconds);
};
constexpr BandwidthTest kTests[] = {{"saturation", Saturate}, {"trains", SendTrains}};

void TestFor(LineSimulator& line, const BandwidthTest& test, Nanoseconds length) {
  test.run(line, std::min(kFlagComes, length));
  line.monitor().SetLineTested(true, line.now());
  test.run(line, length - std::min(kFlagComes, length));
  line.Run(kFlagGoes);
  line.monitor().SetLineTested(false, line.now());
}

class Length : public ::testing::TestWithParam<std::tuple<BandwidthTest, int>> {};

TEST_P(Length, OfATestNeverChangesTheStateOfAHealthyLine) {
  const auto& [test, milliseconds] = GetParam();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LineSimulator line = Warm(seed);
    const MonotonicTime begun = line.now();
    TestFor(line, test, Milliseconds(milliseconds));
    if (milliseconds >= 10'000) {
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
INSTANTIATE_TEST_SUITE_P(Of, Length,
                         ::testing::Combine(::testing::ValuesIn(kTests),
                                            ::testing::Values(300, 2'500, 10'000, 30'000, 60'000,
                                                              90'000, 105'000, 150'000)),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param).name) + "_of_" +
                                  std::to_string(std::get<1>(each.param)) + "_ms";
                         });

TEST(TestedLine, WithoutTheFlagTheSameTestsDegradeTheLine) {
  for (const BandwidthTest& test : kTests) {
    LineSimulator line = Warm(1);
    const MonotonicTime begun = line.now();
    test.run(line, Seconds(15));
    EXPECT_EQ(line.Entered(LinkState::kDegraded, begun), 1u) << test.name;
  }
}

struct Trouble {
  const char* name;
  void (*begin)(LineSimulator&);
  LinkReason reason;
  int found_within_seconds;
};

class Meanwhile : public ::testing::TestWithParam<std::tuple<BandwidthTest, Trouble>> {};

TEST_P(Meanwhile, IsFoundAfterTheTest) {
  const auto& [test, trouble] = GetParam();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LineSimulator line = Warm(seed);
    line.monitor().SetLineTested(true, line.now());
    test.run(line, Seconds(20));
    trouble.begin(line);
    line.Run(kFlagGoes);
    EXPECT_EQ(line.verdict().verdict.state, LinkState::kHealthy) << line.verdict().evidence;
    EXPECT_NE(line.verdict().evidence.find("a bandwidth test fills the line"), std::string::npos)
        << line.verdict().evidence;
    line.monitor().SetLineTested(false, line.now());
    const auto took =
        line.RunUntil(LinkState::kDegraded, Seconds(3 + trouble.found_within_seconds));
    ASSERT_TRUE(took) << line.verdict().evidence;
    EXPECT_EQ(line.verdict().verdict.reason, trouble.reason) << line.verdict().evidence;
  }
}

// As soon as without a test, once the windows of delay have left it behind.
INSTANTIATE_TEST_SUITE_P(
    Beside, Meanwhile,
    ::testing::Combine(
        ::testing::ValuesIn(kTests),
        ::testing::Values(
            Trouble{"a_longer_path", [](LineSimulator& l) { l.reverse.delay += Milliseconds(5); },
                    LinkReason::kRttStep, 9},
            Trouble{"fluctuation", [](LineSimulator& l) { l.reverse.jitter = Milliseconds(8); },
                    LinkReason::kFluctuation, 15},
            Trouble{"loss", [](LineSimulator& l) { l.reverse.loss = 0.2; },
                    LinkReason::kLossReverse, 15})),
    [](const auto& each) {
      return std::string(std::get<0>(each.param).name) + "_" + std::get<1>(each.param).name;
    });

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
