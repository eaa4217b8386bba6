#include "common/link/loss_interval.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(MakeLossInterval, NothingSentBoundsNothing) {
  const LossInterval loss = MakeLossInterval(0, 0);
  EXPECT_EQ(loss.ratio, 0);
  EXPECT_EQ(loss.lower, 0);
  EXPECT_EQ(loss.upper, 1);
}

TEST(MakeLossInterval, TouchesTheEndsExactly) {
  // z^2 / (n + z^2) = 3.8415 / 1003.8415
  EXPECT_EQ(MakeLossInterval(0, 1000).lower, 0);
  EXPECT_NEAR(MakeLossInterval(0, 1000).upper, 0.0038268, 1e-7);
  EXPECT_EQ(MakeLossInterval(1000, 1000).upper, 1);
  EXPECT_NEAR(MakeLossInterval(1000, 1000).lower, 1 - 0.0038268, 1e-7);
}

TEST(MakeLossInterval, AgreesWithTablesInTheMiddle) {
  // Newcombe 1998, table I, method 3: 81 of 263 is 0.2553 to 0.3662, 15 of 148 0.0624 to 0.1605.
  EXPECT_NEAR(MakeLossInterval(81, 263).lower, 0.2553, 5e-5);
  EXPECT_NEAR(MakeLossInterval(81, 263).upper, 0.3662, 5e-5);
  EXPECT_NEAR(MakeLossInterval(15, 148).lower, 0.0624, 5e-5);
  EXPECT_NEAR(MakeLossInterval(15, 148).upper, 0.1605, 5e-5);
}

TEST(MakeLossInterval, MoreLostThanSentIsAllLost) {
  EXPECT_EQ(MakeLossInterval(7, 5).lost, 5U);
  EXPECT_EQ(MakeLossInterval(7, 5).ratio, 1);
}

TEST(MakeLossInterval, HoldsTheRatioAndNarrowsWithMorePackets) {
  double width = 1;
  for (std::uint64_t sent = 20; sent < 100'000'000'000; sent *= 10) {
    const LossInterval loss = MakeLossInterval(sent / 20, sent);
    EXPECT_LE(loss.lower, loss.ratio);
    EXPECT_GE(loss.upper, loss.ratio);
    EXPECT_LT(loss.upper - loss.lower, width);
    width = loss.upper - loss.lower;
  }
}

}  // namespace
}  // namespace fairlead
