#include "common/limit/token_bucket.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

constexpr MonotonicTime kStart{Seconds(100)};

int TakeAll(TokenBucket& bucket, MonotonicTime now) {
  int taken = 0;
  while (taken < 10'000 && bucket.Take(now)) ++taken;
  return taken;
}

TEST(TokenBucket, LetsABurstPassAndThenTheRate) {
  TokenBucket bucket(10, 5);
  EXPECT_EQ(TakeAll(bucket, kStart), 5);
  EXPECT_EQ(TakeAll(bucket, kStart + Milliseconds(250)), 2);
  EXPECT_EQ(TakeAll(bucket, kStart + Milliseconds(300)), 1);
  EXPECT_EQ(TakeAll(bucket, kStart + Seconds(3600)), 5);
}

TEST(TokenBucket, GivesNothingForTimeThatGoesBack) {
  TokenBucket bucket(10, 5);
  EXPECT_EQ(TakeAll(bucket, kStart), 5);
  EXPECT_EQ(TakeAll(bucket, kStart - Seconds(50)), 0);
  EXPECT_EQ(TakeAll(bucket, kStart), 0);
  EXPECT_EQ(TakeAll(bucket, kStart + Milliseconds(100)), 1);
}

TEST(TokenBucket, OnAverageNeverExceedsItsRate) {
  TokenBucket bucket(50, 10);
  int taken = 0;
  for (int ms = 0; ms < 100'000; ++ms) {
    taken += bucket.Take(kStart + Milliseconds(ms)) ? 1 : 0;
  }
  EXPECT_LE(taken, 50 * 100 + 10);
  EXPECT_GE(taken, 50 * 100 - 1);
}

}  // namespace
}  // namespace fairlead
