// Quantile, Spread, ExcessHistogram, RecentMaximum, hops.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "linkprobe/estimate/excess_histogram.h"
#include "linkprobe/estimate/hops.h"
#include "linkprobe/estimate/quantile.h"
#include "linkprobe/estimate/recent_maximum.h"
#include "linkprobe/estimate/recent_values.h"

namespace fairlead::linkprobe {
namespace {

TEST(Quantile, IsTheNearestRank) {
  std::vector<std::int64_t> values{50, 10, 40, 20, 30};
  EXPECT_EQ(Quantile(values, 0), Nanoseconds(10));
  EXPECT_EQ(Quantile(values, 0.2), Nanoseconds(10));
  EXPECT_EQ(Quantile(values, 0.21), Nanoseconds(20));
  EXPECT_EQ(Quantile(values, 0.5), Nanoseconds(30));
  EXPECT_EQ(Quantile(values, 1), Nanoseconds(50));
  EXPECT_FALSE(Quantile({}, 0.5));
}

TEST(Quantile, AgreesWithSorting) {
  std::mt19937_64 random(1);
  for (std::size_t size = 1; size < 60; ++size) {
    std::vector<std::int64_t> values(size);
    for (auto& value : values) value = static_cast<std::int64_t>(random() % 1000) - 500;
    std::vector<std::int64_t> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (const std::size_t percent : {1u, 10u, 50u, 90u, 99u, 100u}) {
      const std::size_t rank = (percent * size + 99) / 100;
      EXPECT_EQ(Quantile(values, static_cast<double>(percent) / 100)->count(), sorted[rank - 1]);
    }
  }
}

TEST(Spread, IgnoresOneInTenAndNeedsFive) {
  std::vector<std::int64_t> values(30, 100);
  for (std::size_t i = 0; i < 3; ++i) values[i * 7] = 1'000'000;
  EXPECT_EQ(Spread(values), Nanoseconds(0));
  values[25] = values[26] = values[27] = values[28] = 1'000'000;
  EXPECT_GT(*Spread(values), Nanoseconds(0));
  std::vector<std::int64_t> few(4, 1);
  EXPECT_FALSE(Spread(few));
}

TEST(ExcessHistogram, PutsEachValueIntoOneBucket) {
  struct Case {
    Nanoseconds excess;
    std::size_t bucket;
  };
  const Case cases[] = {{Nanoseconds(-5), 0},
                        {Nanoseconds(0), 0},
                        {Nanoseconds(50'000), 0},
                        {Nanoseconds(50'001), 1},
                        {Nanoseconds(100'000), 1},
                        {Milliseconds(3), 6},
                        {Nanoseconds(819'200'000), 14},
                        {Nanoseconds(819'200'001), 15},
                        {Seconds(3600), 15}};
  for (const Case& c : cases) {
    ExcessHistogram histogram;
    histogram.Add(c.excess);
    EXPECT_EQ(histogram.counts[c.bucket], 1u) << c.excess.count();
    EXPECT_EQ(histogram.total, 1u);
    EXPECT_GE(histogram.sum, Nanoseconds(0));
  }
}

TEST(RecentMaximum, IsTheLargestSince) {
  RecentMaximum maximum;
  const MonotonicTime start{Seconds(10)};
  EXPECT_FALSE(maximum.Since(start));
  maximum.Add(Nanoseconds(5), start + Seconds(1));
  maximum.Add(Nanoseconds(9), start + Seconds(2));
  maximum.Add(Nanoseconds(3), start + Seconds(3));
  EXPECT_EQ(maximum.Since(start), Nanoseconds(9));
  EXPECT_EQ(maximum.Since(start + Seconds(2)), Nanoseconds(3));
  EXPECT_FALSE(maximum.Since(start + Seconds(3)));
  for (int i = 0; i < 10'000; ++i) maximum.Add(Nanoseconds(20'000 - i), start + Seconds(4 + i));
  EXPECT_EQ(maximum.Since(start + Seconds(10'000)), Nanoseconds(20'000 - 9'997));
}

TEST(RecentValues, HasQuantilesOfWhatIsRecentAndKept) {
  RecentValues values;
  const MonotonicTime start{Seconds(10)};
  EXPECT_FALSE(values.QuantileSince(start, 0.5));
  for (int i = 1; i <= 10; ++i) values.Add(Nanoseconds(i), start + Seconds(i));
  EXPECT_EQ(values.QuantileSince(start, 0.9), Nanoseconds(9));
  EXPECT_EQ(values.QuantileSince(start + Seconds(8), 0.9), Nanoseconds(10));
  EXPECT_FALSE(values.QuantileSince(start + Seconds(10), 0.9));
  for (int i = 11; i <= 1000; ++i) values.Add(Nanoseconds(i), start + Seconds(i));
  EXPECT_EQ(values.QuantileSince(start, 0), Nanoseconds(1000 - 127));
}

TEST(HopsCrossed, GuessesTheInitialHopLimit) {
  EXPECT_FALSE(HopsCrossed(0));
  EXPECT_EQ(HopsCrossed(64), 0u);
  EXPECT_EQ(HopsCrossed(61), 3u);
  EXPECT_EQ(HopsCrossed(65), 63u);
  EXPECT_EQ(HopsCrossed(128), 0u);
  EXPECT_EQ(HopsCrossed(250), 5u);
  EXPECT_TRUE(IsCongestionMarked(0x03));
  EXPECT_TRUE(IsCongestionMarked(0xff));
  EXPECT_FALSE(IsCongestionMarked(0x02));
  EXPECT_FALSE(IsCongestionMarked(0xfc));
}

}  // namespace
}  // namespace fairlead::linkprobe
