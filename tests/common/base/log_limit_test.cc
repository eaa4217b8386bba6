#include "common/base/log_limit.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(LogLimit, HoldsBackWhatIsTooMuchAndTellsHowMuch) {
  LogLimit limit(2, Seconds(10));
  const MonotonicTime begin{Seconds(100)};
  EXPECT_EQ(limit.Pass(begin), 0U);
  EXPECT_EQ(limit.Pass(begin + Seconds(1)), 0U);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(limit.Pass(begin + Seconds(9)));
  EXPECT_EQ(limit.Pass(begin + Seconds(10)), 1000U);
  EXPECT_EQ(limit.Pass(begin + Seconds(10)), 0U);
  EXPECT_FALSE(limit.Pass(begin + Seconds(19)));
  // The stretch began with its first line, and another begins with this one, however late.
  EXPECT_EQ(limit.Pass(begin + Seconds(75)), 1U);
  EXPECT_EQ(limit.Pass(begin + Seconds(84)), 0U);
  EXPECT_FALSE(limit.Pass(begin + Seconds(84)));
}

}  // namespace
}  // namespace fairlead
