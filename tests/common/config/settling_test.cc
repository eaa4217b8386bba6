#include "common/config/settling.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

class Settling : public testing::Test {
 protected:
  SettlingContents::Verdict See(const std::string& contents, int at_ms) {
    return contents_.See(contents, MonotonicTime(Milliseconds(at_ms)));
  }

  SettlingContents contents_{"old", Milliseconds(100)};
};

TEST_F(Settling, KnownContentsAreNothingNew) {
  const auto verdict = See("old", 5'000);
  EXPECT_FALSE(verdict.judge);
  EXPECT_FALSE(verdict.look_after);
}

TEST_F(Settling, NewContentsAreJudgedOnceTheyHaveStood) {
  EXPECT_EQ(See("new", 1'000).look_after, Nanoseconds(Milliseconds(100)));
  const auto early = See("new", 1'040);
  EXPECT_FALSE(early.judge);
  EXPECT_EQ(early.look_after, Nanoseconds(Milliseconds(60)));
  const auto judged = See("new", 1'100);
  EXPECT_TRUE(judged.judge);
  EXPECT_FALSE(judged.look_after);
  EXPECT_FALSE(See("new", 2'000).judge);
}

TEST_F(Settling, EveryChangeBeginsTheQuietTimeAnew) {
  for (int i = 0; i < 50; ++i) {
    const auto verdict = See("part " + std::to_string(i), 1'000 + 99 * i);
    EXPECT_FALSE(verdict.judge) << i;
    EXPECT_EQ(verdict.look_after, Nanoseconds(Milliseconds(100)));
  }
  EXPECT_TRUE(See("part 49", 1'000 + 99 * 49 + 100).judge);
}

TEST_F(Settling, AHalfBetweenTwoWholesIsNeverJudged) {
  EXPECT_FALSE(See("", 1'000).judge);
  EXPECT_FALSE(See("old", 1'050).judge);
  EXPECT_FALSE(See("", 1'120).judge);  // its quiet time does not count from the first time
  EXPECT_TRUE(See("", 1'220).judge);
}

}  // namespace
}  // namespace fairlead
