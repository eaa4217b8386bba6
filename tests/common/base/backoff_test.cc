#include "common/base/backoff.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fairlead {
namespace {

TEST(Backoff, DrawsFromTheUpperHalfOfADoublingSpan) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Backoff backoff(Seconds(1), Seconds(10), seed);
    Nanoseconds span = Seconds(1);
    for (int i = 0; i < 20; ++i) {
      const Nanoseconds wait = backoff.Next();
      EXPECT_GE(wait, span / 2);
      EXPECT_LE(wait, span);
      span = std::min<Nanoseconds>(span * 2, Seconds(10));
    }
    backoff.Reset();
    EXPECT_LE(backoff.Next(), Seconds(1));
  }
}

TEST(Backoff, RepeatsForTheSameSeedAndDiffersForAnother) {
  Backoff a(Seconds(1), Seconds(60), 1);
  Backoff b(Seconds(1), Seconds(60), 1);
  Backoff c(Seconds(1), Seconds(60), 2);
  bool differs = false;
  for (int i = 0; i < 10; ++i) {
    const Nanoseconds wait = a.Next();
    EXPECT_EQ(wait, b.Next());
    differs = differs || wait != c.Next();
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace fairlead
