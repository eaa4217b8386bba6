#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extender/migration/excess_meter.h"
#include "extender/migration/limit_watch.h"
#include "extender/migration/mass_breaker.h"
#include "extender/migration/moving_cost.h"
#include "tests/extender/migration/migration_fixture.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kGap = Seconds(30);
constexpr Nanoseconds kReset = Seconds(600);

void Observe(ExcessMeter& meter, MeterInput input, double rate, Nanoseconds at) {
  meter.Observe(input, rate, At(at), kGap, kReset);
}

TEST(ExcessMeter, PaysOnlyBetweenTwoRoundsThatBothKnow) {
  ExcessMeter meter;
  Observe(meter, MeterInput::kBad, 0.5, Seconds(0));
  EXPECT_EQ(meter.paid(), Nanoseconds(0));
  Observe(meter, MeterInput::kBad, 0.25, Seconds(10));
  EXPECT_EQ(meter.paid(), Seconds(5)) << "by the rate of its beginning";
  Observe(meter, MeterInput::kUnclear, 0, Seconds(20));
  Observe(meter, MeterInput::kBad, 0.25, Seconds(30));
  EXPECT_EQ(meter.paid(), Seconds(5)) << "what was not known is not paid";
  Observe(meter, MeterInput::kBad, 0.25, Seconds(61));
  EXPECT_EQ(meter.paid(), Seconds(5)) << "nor what was not looked at";
  Observe(meter, MeterInput::kBad, 0.25, Seconds(50));
  EXPECT_EQ(meter.paid(), Seconds(5)) << "a clock that goes back pays nothing";
  Observe(meter, MeterInput::kBad, 0.25, Seconds(65));
  EXPECT_EQ(meter.paid(), Seconds(6));
  EXPECT_EQ(meter.onset(), At(Seconds(0)));
}

TEST(ExcessMeter, ForgetsAfterALongRecoveryAlone) {
  ExcessMeter meter;
  Observe(meter, MeterInput::kBad, 1, Seconds(0));
  Observe(meter, MeterInput::kBad, 1, Seconds(20));
  Observe(meter, MeterInput::kWell, 0, Seconds(30));
  Observe(meter, MeterInput::kWell, 0, Seconds(600));
  Observe(meter, MeterInput::kUnclear, 0, Seconds(620));
  Observe(meter, MeterInput::kWell, 0, Seconds(640));
  Observe(meter, MeterInput::kWell, 0, Seconds(1239));
  EXPECT_EQ(meter.paid(), Seconds(20)) << "what is not clear is no recovery";
  Observe(meter, MeterInput::kWell, 0, Seconds(1240));
  EXPECT_EQ(meter.paid(), Nanoseconds(0));
}

TEST(ExcessRate, IsTheShareOfTheTimeThatIsLost) {
  EXPECT_DOUBLE_EQ(ExcessRate(0.1, 0.075), 0.25);
  EXPECT_EQ(ExcessRate(0.1, 0.1), 0);
  EXPECT_EQ(ExcessRate(0.1, 0.2), 0);
  EXPECT_EQ(ExcessRate(0.1, 0), 0);
  EXPECT_EQ(ExcessRate(std::nan(""), 0.1), 0);
  EXPECT_EQ(ExcessRate(INFINITY, 0.1), 0);
}

TEST(MovingCost, IsNeverLessThanAStopAndAStart) {
  EXPECT_EQ(TotalCost({}), kLeastMovingCost);
  EXPECT_EQ(TotalCost({.checkpoint_age = {Seconds(100)},
                       .checkpoint_write = {},
                       .restart = {Seconds(20)},
                       .requeue = {}}),
            Seconds(120));
  EXPECT_EQ(CostText(GangOf("a").cost),
            "15 min of work since the checkpoint (default), 60 s to write one (annotation), 3 min "
            "to restart (observation), 60 s to be placed (default)");
}

std::vector<JudgedLine> Lines(std::size_t sites, const std::vector<SitePair>& bad) {
  std::vector<JudgedLine> lines;
  for (std::size_t a = 0; a < sites; ++a) {
    for (std::size_t b = a; b < sites; ++b) {
      const SitePair line{std::string(1, static_cast<char>('a' + a)),
                          std::string(1, static_cast<char>('a' + b))};
      const bool is_bad = std::ranges::find(bad, line) != bad.end();
      lines.push_back({line, is_bad ? LineJudgement::kBad : LineJudgement::kWell});
    }
  }
  return lines;
}

TEST(MassEvent, IsASiteCutOffOrALargeShareOfLinesOrGangs) {
  const BreakerConfig config;
  EXPECT_EQ(MassEvent(Lines(2, {{"a", "b"}}), 1, 1, config), "") << "the only line there is";
  EXPECT_EQ(MassEvent(Lines(3, {{"a", "b"}}), 9, 3, config), "");
  EXPECT_EQ(MassEvent(Lines(3, {{"a", "b"}, {"a", "c"}}), 0, 0, config),
            "none of the 2 lines of a is well");
  EXPECT_EQ(MassEvent(Lines(4, {{"a", "b"}, {"c", "d"}}), 0, 0, config), "");
  EXPECT_EQ(MassEvent(Lines(4, {{"a", "b"}, {"c", "d"}, {"b", "c"}}), 0, 0, config),
            "3 of 6 lines are bad at once");
  EXPECT_EQ(MassEvent(Lines(3, {{"a", "a"}, {"b", "b"}, {"c", "c"}}), 0, 0, config), "")
      << "the inside of a site is no line";
  EXPECT_EQ(MassEvent(Lines(3, {}), 8, 4, config), "4 of 8 gangs would move at once");
  EXPECT_EQ(MassEvent(Lines(3, {}), 9, 4, config), "");
  std::vector<JudgedLine> silent = Lines(3, {{"a", "b"}});
  silent[2].judgement = LineJudgement::kStale;
  EXPECT_EQ(MassEvent(silent, 0, 0, config), "none of the 2 lines of a is well");
}

TEST(LimitWatch, CountsFromTheFirstValueBeyondALimitUntilOneWithin) {
  LimitWatch watch;
  const LineThresholds limits{Milliseconds(40), {}, 0.01, 1'000'000'000};
  const SitePair line{"hk", "sg"};
  LineValues values{Milliseconds(41), {}, 0.01, 1e9};
  EXPECT_EQ(watch.Observe("a", line, limits, values, At(Seconds(0))).size(), 1U);
  values.rtt_p50.reset();
  EXPECT_TRUE(watch.Observe("a", line, limits, values, At(Seconds(5))).empty())
      << "not known is not broken";
  values = {Milliseconds(42), {}, 0.02, 0.9e9};
  const auto all = watch.Observe("a", line, limits, values, At(Seconds(10)));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].broken_for, Seconds(10));
  EXPECT_EQ(all[0].text, "p50 42 ms, maxRtt 40 ms");
  EXPECT_EQ(all[1].text, "loss at least 2.0 %, maxLoss 1.0 %");
  EXPECT_EQ(all[2].text, "900 Mbps, minBandwidth 1 Gbps");
  values.rtt_p50 = Milliseconds(40);
  EXPECT_EQ(watch.Observe("a", line, limits, values, At(Seconds(15))).size(), 2U);
  values.rtt_p50 = Milliseconds(41);
  EXPECT_EQ(watch.Observe("a", line, limits, values, At(Seconds(20)))[0].broken_for, Seconds(0));
  EXPECT_EQ(watch.Observe("b", line, limits, values, At(Seconds(20)))[1].broken_for, Seconds(0));
}

TEST(LimitWatch, TheGangsOwnLimitComesBeforeTheLinesAndThePolicys) {
  MigrationConfig config;
  config.policy = {Milliseconds(40), Milliseconds(5), {}, {}};
  config.lines = {{{"hk", "sg"}, {Milliseconds(30), {}, 0.1, {}}, {}}};
  EXPECT_EQ(ThresholdsOf({"hk", "sg"}, {{}, {}, {}, 7}, config),
            (LineThresholds{Milliseconds(30), Milliseconds(5), 0.1, 7}));
  EXPECT_EQ(ThresholdsOf({"hk", "tyo"}, {Milliseconds(1), {}, {}, {}}, config),
            (LineThresholds{Milliseconds(1), Milliseconds(5), {}, {}}));
}

}  // namespace
}  // namespace fairlead::extender
