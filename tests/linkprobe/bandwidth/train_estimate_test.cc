#include "linkprobe/bandwidth/train_estimate.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kFrame = 4096;

// A train that left `queue` at `rate`, stamped late by an exponential delay, some of it lost.
std::vector<TrainArrival> Train(std::uint32_t packets, double rate, double late_ns, double loss,
                                std::mt19937_64& random) {
  std::vector<TrainArrival> arrivals;
  std::uint32_t served = 0;
  for (std::uint32_t i = 0; i < packets; ++i) {
    // The first of a train meets an empty queue.
    if (i > 0 && std::uniform_real_distribution<>(0, 1)(random) < loss) continue;
    const double late = late_ns > 0 ? std::exponential_distribution<>(1 / late_ns)(random) : 0;
    arrivals.push_back({i, static_cast<std::int64_t>(++served * kFrame / rate * 1e9 + late)});
  }
  return arrivals;
}

TEST(TrainEstimateTest, ACleanTrainTellsTheRateExactly) {
  std::mt19937_64 random(3);
  const auto rate = TrainRate(Train(64, 12.5e6, 0, 0, random), kFrame);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 12.5e6, 1e3);
}

TEST(TrainEstimateTest, StampsMayBeAsFarApartAsNumbersCan) {
  std::vector<TrainArrival> arrivals{{0, std::numeric_limits<std::int64_t>::min()}};
  for (std::uint32_t i = 1; i < 8; ++i) arrivals.push_back({i, 0});
  arrivals.push_back({8, std::numeric_limits<std::int64_t>::max()});
  const auto rate = TrainRate(arrivals, kFrame);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 8 * 4096 * 1e9 / 18446744073709551615.0, 1e-12);
  EXPECT_EQ(NextTrainLength(*rate, kFrame, Milliseconds(40), 1'000'000), 16U);
}

TEST(TrainEstimateTest, DropsOfAFullQueueChangeNothing) {
  std::mt19937_64 random(3);
  const auto rate = TrainRate(Train(200, 2.5e6, 0, 0.4, random), kFrame);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 2.5e6, 1e3);
}

TEST(TrainEstimateTest, MedianOfTenIsWithinATenthDespiteLateStamps) {
  std::mt19937_64 random(17);
  for (const double rate : {2.5e6, 12.5e6, 125e6}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const std::uint32_t length = NextTrainLength(rate, kFrame, Milliseconds(20), 1'000'000);
      const double span_ns = length * kFrame / rate * 1e9;
      std::vector<double> rates;
      for (std::uint32_t i = 0; i < kLeastTrains; ++i) {
        const auto one = TrainRate(Train(length, rate, span_ns * 0.03, 0.05, random), kFrame);
        ASSERT_TRUE(one);
        rates.push_back(*one);
      }
      const auto estimate = EstimateFromTrains(rates);
      ASSERT_TRUE(estimate);
      EXPECT_NEAR(estimate->bytes_per_second / rate, 1, 0.1);
      EXPECT_LE(estimate->lower_quartile, estimate->bytes_per_second);
      EXPECT_GE(estimate->upper_quartile, estimate->bytes_per_second);
    }
  }
}

TEST(TrainEstimateTest, SaysNothingOfTooLittle) {
  std::mt19937_64 random(3);
  EXPECT_FALSE(TrainRate({}, kFrame));
  EXPECT_FALSE(TrainRate(Train(7, 1e6, 0, 0, random), kFrame));
  EXPECT_FALSE(TrainRate(std::vector<TrainArrival>(20, {1, 5}), kFrame));
  std::vector<TrainArrival> at_once;
  for (std::uint32_t i = 0; i < 20; ++i) at_once.push_back({i, 77});
  EXPECT_FALSE(TrainRate(at_once, kFrame));
  EXPECT_FALSE(EstimateFromTrains(std::vector<double>(9, 1e6)));
  const auto estimate = EstimateFromTrains({1, 2, 3, 4, 5, 6, 7, 8, 9, 1000});
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->bytes_per_second, 5.5);
  EXPECT_EQ(estimate->trains, 10U);
}

TEST(TrainEstimateTest, TrainsAreAsLongAsTheLineNeedsAndNeverBeyondTheirBytes) {
  EXPECT_EQ(NextTrainLength(std::nullopt, kFrame, Milliseconds(20), 1'000'000), 16U);
  EXPECT_EQ(NextTrainLength(2.5e6, kFrame, Milliseconds(20), 1'000'000), 16U);
  EXPECT_EQ(NextTrainLength(12.5e6, kFrame, Milliseconds(20), 1'000'000), 63U);
  EXPECT_EQ(NextTrainLength(1e12, kFrame, Milliseconds(20), 1'000'000), 244U);
}

}  // namespace
}  // namespace fairlead::linkprobe
