#include "linkprobe/detect/baseline.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

Nanoseconds Ms(double value) { return Nanoseconds(static_cast<std::int64_t>(value * 1e6)); }

void Learn(Baseline& baseline, Nanoseconds p50, int windows,
           std::optional<Nanoseconds> spread = Ms(0.5)) {
  for (int i = 0; i < windows; ++i) {
    // Alternates by 20 us, so that the MAD is not nothing.
    baseline.Learn(p50 + Nanoseconds(i % 2 * 20'000), spread, DetectorSettings{});
  }
}

TEST(Baseline, IsReadyAfterTheConfiguredWindows) {
  Baseline baseline;
  Learn(baseline, Ms(36), 9);
  EXPECT_FALSE(baseline.ready());
  Learn(baseline, Ms(36), 1);
  EXPECT_TRUE(baseline.ready());
  EXPECT_NEAR(static_cast<double>(baseline.p50().count()), 36e6, 2e4);
  EXPECT_EQ(baseline.spread(), Ms(0.5));
}

TEST(Baseline, IsFrozenAfterItsSpanAndThenOnlyFalls) {
  Baseline baseline;
  Learn(baseline, Ms(36), 600);
  Learn(baseline, Ms(37), 1800, Ms(3));
  EXPECT_NEAR(static_cast<double>(baseline.p50().count()), 36e6, 2e4);
  EXPECT_EQ(baseline.spread(), Ms(0.5));
  Learn(baseline, Ms(35.5), 600, Ms(0.3));
  EXPECT_NEAR(static_cast<double>(baseline.p50().count()), 35.5e6, 2e4);
  EXPECT_EQ(baseline.spread(), Ms(0.3));
}

TEST(Baseline, FollowsWhileItLearns) {
  Baseline baseline;
  Learn(baseline, Ms(40), 20);
  Learn(baseline, Ms(36), 400);
  EXPECT_NEAR(static_cast<double>(baseline.p50().count()), 36e6, 2e4);
}

TEST(Baseline, BandIsTheLargestButCannotDisarmItself) {
  struct Case {
    double p50_ms;
    double noise_ms;  // windows alternate by +- this
    double band_ms;
  };
  // max(3 %, 1 ms), 6 MAD, and at most three times the former.
  const Case cases[] = {
      {10, 0, 1}, {36, 0.01, 1.08}, {68, 0.01, 2.04}, {36, 0.3, 1.8}, {36, 9, 3.24}};
  for (const Case& c : cases) {
    Baseline baseline;
    for (int i = 0; i < 90; ++i) {
      baseline.Learn(Ms(c.p50_ms + (i % 3 - 1) * c.noise_ms), Ms(1), DetectorSettings{});
    }
    EXPECT_NEAR(static_cast<double>(baseline.Band(DetectorSettings{}).count()) / 1e6, c.band_ms,
                0.02)
        << c.p50_ms << " " << c.noise_ms;
  }
}

TEST(Baseline, SpreadLimitIsTheLargerOfFactorAndFloor) {
  for (const auto& [spread, limit] :
       {std::pair(0.5, 5.5), std::pair(2.0, 7.0), std::pair(4.0, 12.0)}) {
    Baseline baseline;
    Learn(baseline, Ms(36), 20, Ms(spread));
    EXPECT_EQ(baseline.SpreadLimit(DetectorSettings{}), Ms(limit));
  }
}

TEST(Baseline, RelearnsFromWhatItIsGiven) {
  Baseline baseline;
  Learn(baseline, Ms(68), 700);
  baseline.Relearn({31'000'000, 30'000'000, 32'000'000});
  EXPECT_TRUE(baseline.ready());
  EXPECT_EQ(baseline.p50(), Ms(31));
  Learn(baseline, Ms(30.5), 400);
  EXPECT_NEAR(static_cast<double>(baseline.p50().count()), 30.5e6, 2e4);
}

TEST(Baseline, LivesWithAnAbsurdlyShortSpan) {
  Baseline baseline;
  DetectorSettings settings;
  settings.baseline_span = Nanoseconds(1);
  baseline.Learn(Ms(36), std::nullopt, settings);
  EXPECT_TRUE(baseline.ready());
}

}  // namespace
}  // namespace fairlead::linkprobe
