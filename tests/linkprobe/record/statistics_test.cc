// Statistics against known answers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "linkprobe/record/block_bootstrap.h"
#include "linkprobe/record/dependence.h"
#include "linkprobe/record/difference.h"
#include "linkprobe/record/student_t.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

TEST(StudentQuantileTest, AgreesWithTheTables) {
  const struct {
    double p, degrees, t;
  } cases[] = {{0.975, 1, 12.7062047364}, {0.975, 2, 4.3026527297},
               {0.975, 5, 2.5705818366},  {0.995, 9, 3.2498355440},
               {0.95, 10, 1.8124611228},  {0.975, 30, 2.0422724563},
               {0.9995, 4, 8.6103015814}, {0.5, 7, 0},
               {0.75, 2, 0.8164965809}};
  for (const auto& c : cases) {
    EXPECT_NEAR(StudentQuantile(c.p, c.degrees), c.t, 1e-8) << c.p << " " << c.degrees;
    EXPECT_NEAR(StudentQuantile(1 - c.p, c.degrees), -c.t, 1e-8) << c.p << " " << c.degrees;
  }
}

TEST(StudentQuantileTest, BecomesNormal) {
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.5), 0, 1e-12);
  EXPECT_NEAR(NormalQuantile(1e-6), -4.753424308822899, 1e-9);
  EXPECT_NEAR(StudentQuantile(0.975, 1e8), 1.959964, 1e-6);
  EXPECT_EQ(StudentQuantile(0.975, 1e12), NormalQuantile(0.975));
}

TEST(StudentQuantileTest, FallsWithTheDegrees) {
  double before = StudentQuantile(0.99, 1);
  for (double degrees = 1.5; degrees < 1000; degrees *= 1.5) {
    const double t = StudentQuantile(0.99, degrees);
    EXPECT_LT(t, before) << degrees;
    before = t;
  }
}

TEST(RankAutocorrelationTest, KnownSeries) {
  EXPECT_EQ(RankAutocorrelation({}), 0);
  EXPECT_EQ(RankAutocorrelation(std::vector<double>{1, 2}), 0);
  EXPECT_EQ(RankAutocorrelation(std::vector<double>(50, 3.5)), 0);
  // Ranks 0..4 about their mean: sum of squares 10, of neighbours' products 2 + 0 + 0 + 2.
  EXPECT_NEAR(RankAutocorrelation(std::vector<double>{1, 2, 3, 4, 5}), 0.4, 1e-12);
  // Ranks 0.5 0.5 2.5 2.5 about 1.5: 4, and 1 - 1 + 1.
  EXPECT_NEAR(RankAutocorrelation(std::vector<double>{7, 7, 9, 9}), 0.25, 1e-12);
  EXPECT_LT(RankAutocorrelation(std::vector<double>{1, 9, 1, 9, 1, 9, 1, 9}), -0.8);
}

TEST(RankAutocorrelationTest, OneOutlierNeitherMakesNorHidesIt) {
  std::vector<double> series = Autoregressive(400, 0.7, 1);
  const double without = RankAutocorrelation(series);
  EXPECT_NEAR(without, 0.68, 0.08);
  series[200] = 1e9;
  EXPECT_NEAR(RankAutocorrelation(series), without, 0.02);
}

TEST(BlockLengthTest, GrowsWithTheDependence) {
  EXPECT_EQ(BlockLength({}), 1U);
  EXPECT_EQ(BlockLength(std::vector<double>(1, 2.0)), 1U);
  EXPECT_EQ(BlockLength(std::vector<double>(1000, 2.0)), 10U);  // cube root
  std::size_t before = 0;
  for (const double r : {0.0, 0.7, 0.9, 0.97}) {
    const std::size_t block = BlockLength(Autoregressive(1000, r, 3));
    EXPECT_GT(block, before) << r;
    before = block;
  }
  std::vector<double> trend(100);
  std::iota(trend.begin(), trend.end(), 0.0);
  EXPECT_GT(BlockLength(trend), 50U);
}

TEST(BootstrapErrorTest, OfAMeanOfIndependentValuesIsTheTextbooks) {
  const std::vector<double> series = Autoregressive(200, 0, 5);
  const double mean = std::accumulate(series.begin(), series.end(), 0.0) / 200;
  double squares = 0;
  for (const double value : series) squares += (value - mean) * (value - mean);
  const double expected = std::sqrt(squares / 200 / 200);
  EXPECT_NEAR(BootstrapError(200, 1, 7, MeanOf(series)), expected, 0.06 * expected);
}

TEST(BootstrapErrorTest, BlocksSeeTheDependence) {
  const std::vector<double> series = Autoregressive(2000, 0.8, 6);
  // The mean of an AR(1) of unit innovations has the error 1 / (1 - r) / sqrt(n).
  const double expected = 1 / 0.2 / std::sqrt(2000.0);
  EXPECT_NEAR(BootstrapError(2000, BlockLength(series), 1, MeanOf(series)), expected,
              0.25 * expected);
  EXPECT_LT(BootstrapError(2000, 1, 1, MeanOf(series)), 0.5 * expected);
}

TEST(BootstrapErrorTest, IsRepeatableAndKnowsItsEdges) {
  const std::vector<double> series = Autoregressive(50, 0.3, 8);
  const double first = BootstrapError(50, 4, 42, MeanOf(series));
  EXPECT_EQ(BootstrapError(50, 4, 42, MeanOf(series)), first);
  EXPECT_NE(BootstrapError(50, 4, 43, MeanOf(series)), first);
  EXPECT_EQ(BootstrapError(0, 4, 1, MeanOf({})), 0);
  // A block as long as the series turns it round, which leaves its mean.
  EXPECT_NEAR(BootstrapError(50, 500, 1, MeanOf(series)), 0, 1e-12);
  const std::vector<double> constant(30, 0.036);
  EXPECT_NEAR(BootstrapError(30, 3, 1, MeanOf(constant)), 0, 1e-15);
}

TEST(EstimateTest, MedianAndRatio) {
  EXPECT_EQ(EstimateMedian(std::vector<double>{3, 1, 2}, 1).value, 2);
  EXPECT_EQ(EstimateMedian(std::vector<double>{4, 1, 3, 2}, 1).value, 2.5);
  EXPECT_EQ(EstimateMedian({}, 1).windows, 0U);
  const Estimate ratio = EstimateRatio({.events = {0, 3, 0}, .trials = {10, 20, 70}}, 1);
  EXPECT_EQ(ratio.value, 0.03);
  EXPECT_EQ(ratio.windows, 3U);
  EXPECT_GT(ratio.error, 0);
}

TEST(ProportionDifferenceTest, AgreesWithNewcombe) {
  // Newcombe 1998, table II, method 10: the difference 56/70 - 48/80; the second by hand
  // from Wilson's 0.0179..0.4042 and 0.5958..0.9821.
  const Interval a = ProportionDifference({{48}, {80}}, {{56}, {70}}, 0.95);
  EXPECT_NEAR(a.lower, 0.0524, 5e-5);
  EXPECT_NEAR(a.upper, 0.3339, 5e-5);
  const Interval b = ProportionDifference({{1}, {10}}, {{9}, {10}}, 0.95);
  EXPECT_NEAR(b.lower, 0.36987, 5e-5);
  EXPECT_NEAR(b.upper, 0.91614, 5e-5);
  const Interval c = ProportionDifference({{0}, {10}}, {{0}, {20}}, 0.95);
  EXPECT_NEAR(c.lower, -0.2775, 5e-5);
  EXPECT_NEAR(c.upper, 0.1611, 5e-5);
}

TEST(DifferenceIntervalTest, IsWelchsWithBlocksAsObservations) {
  // Blocks of one: the textbook's t test with variances of the means 0.04 and 0.09.
  const Estimate before{.value = 10, .error = std::sqrt(0.04 * 9 / 10), .windows = 10, .block = 1};
  const Estimate after{.value = 11, .error = std::sqrt(0.09 * 19 / 20), .windows = 20, .block = 1};
  const Interval interval = DifferenceInterval(before, after, 0.95);
  const double degrees = 0.13 * 0.13 / (0.04 * 0.04 / 9 + 0.09 * 0.09 / 19);
  const double half = StudentQuantile(0.975, degrees) * std::sqrt(0.13);
  EXPECT_NEAR(interval.lower, 1 - half, 1e-9);
  EXPECT_NEAR(interval.upper, 1 + half, 1e-9);
  const Interval exact =
      DifferenceInterval({.value = 1, .windows = 10}, {.value = 3, .windows = 10}, 0.9);
  EXPECT_EQ(exact.lower, 2);
  EXPECT_EQ(exact.upper, 2);
}

}  // namespace
}  // namespace fairlead::linkprobe
